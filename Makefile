# All set-up happens here: `make demo` and `make test` work on a fresh machine with Python >= 3.10.
SHELL := bash
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?= python3
WORKERS ?= 2

.PHONY: demo test test-all lint bench bench-kernels clean

# The main job: a new offline project, checked, built and run until its precision check has passed.
demo: $(STAMP)
	@scripts/need.sh g++ cmake make
	@scripts/demo.sh

test: $(STAMP)
	@scripts/need.sh g++ cmake make
	$(BIN)/pytest -n $(WORKERS) -m "not full"

test-all: $(STAMP)
	@scripts/need.sh g++ cmake make
	$(BIN)/pytest -n $(WORKERS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python scripts/bench.py

bench-kernels: $(STAMP)
	$(BIN)/python scripts/bench_kernels.py

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --group dev --editable .
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
