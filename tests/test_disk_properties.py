"""Whatever people and runs do to a folder in whatever order: what a person wrote is never lost, and a run that succeeds
leaves the folder in sync."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from disk_support import plan
from hypothesis import given, settings
from hypothesis import strategies as st
from opgen.disk import transaction
from opgen.disk.compare import compare, interrupted, unchanged
from opgen.disk.write import clean, write
from opgen.text.findings import CannotWork, Refused

PATHS = ("README.md", "ge/a.h", "ge/deep/b.cpp", "run.sh", "kernel.py")
TEXTS = ("one\n", "two\n")

planned = st.dictionaries(st.sampled_from(PATHS[:4]), st.sampled_from(TEXTS), max_size=4)
step = st.one_of(
    st.tuples(st.just("plan"), planned, st.booleans()),
    st.tuples(st.just("edit"), st.sampled_from(PATHS), st.booleans()),
    st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just(False)),
    st.tuples(st.just("generate"), st.booleans(), st.booleans()),
    st.tuples(st.just("fail"), st.integers(0, 12), st.booleans()),
    st.tuples(st.just("clean"), st.booleans(), st.just(False)),
)


class Killed(BaseException):
    pass


@contextmanager
def broken(at: int, kill: bool) -> Iterator[None]:
    """A run fails at step `at`, or dies there."""
    real_make, real_give_up = transaction._make, transaction._give_up

    def make(folder: Path, index: int, made: transaction._Step) -> None:
        if index == at:
            raise Killed if kill else OSError(28, "No space left on device")
        real_make(folder, index, made)

    transaction._make = make
    if kill:
        transaction._give_up = lambda *_: None
    try:
        yield
    finally:
        transaction._make, transaction._give_up = real_make, real_give_up


@settings(max_examples=150, deadline=None)
@given(st.lists(step, max_size=14))
def test_nothing_that_a_person_wrote_is_lost(steps: list[tuple[str, object, bool]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wanted, mine = {}, {}
        written: dict[str, str] = {}  # what a person wrote last at a path, and did not delete
        for number, (word, what, flag) in enumerate(steps):
            current = plan(wanted, once=mine)
            try:
                if word == "plan":
                    wanted, mine = dict(what), {"kernel.py": "skeleton\n"} if flag else {}
                elif word == "edit":
                    path = folder / str(what)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    written[str(what)] = f"a person wrote this as step {number}\n" * (2 if flag else 1)
                    path.write_text(written[str(what)])
                elif word == "delete":
                    (folder / str(what)).unlink(missing_ok=True)
                    written.pop(str(what), None)
                elif word == "fail":
                    with broken(int(str(what)), flag):
                        write(current, folder, force=True)
                elif word == "clean":
                    clean(folder, force=bool(what))
                else:
                    outcome = write(current, folder, force=bool(what), restore=flag)
                    assert not interrupted(folder)
                    assert outcome.left or unchanged(folder, "1", "2", "0.1.0")
                    left = {s.status for s in compare(current, folder).states} - {"identical", "kept", "absent"}
                    assert left <= {"stale-edited"}
                    assert bool(left) == outcome.left
            except (Refused, CannotWork, Killed):
                pass
            kept = {p.read_text() for p in folder.rglob("*") if p.is_file() and ".opgen/base" not in p.as_posix()}
            assert set(written.values()) <= kept
