"""Writes schema_fast.py, the check of op.schema.json as plain Python: `python -m opgen.spec.schema_build`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from opgen.resources import folder

TARGET = Path(__file__).with_name("schema_fast.py")

_HEAD = '''"""Whether a document fits op.schema.json. Written by opgen.spec.schema_build; edit the schema instead."""

# ruff: noqa
# fmt: off
# mypy: ignore-errors
import re
from typing import Any


class Invalid(Exception):
    """The document does not fit; opgen.spec.schema says where and why."""


'''
_WORDS = ("$schema", "$id", "$comment", "title", "description", "default", "errorMessage", "patternErrorMessage")
_REWRITES = (
    (r"raise JsonSchemaValueException\(.*\)$", "raise Invalid"),
    (r"\(JsonSchemaValueException, JsonSchemaValuesException\)", "Invalid"),
    (r", Decimal\b", ""),
    (r"\(data, custom_formats=\{\}, name_prefix=None\)", "(data)"),
    (r", custom_formats, \(name_prefix or \"data\"\).*\)$", ")"),
    # A whole number with a fraction (4.0) is no integer here.
    (r" and not \(isinstance\(\w+, float\) and \w+\.is_integer\(\)\)", ""),
    (r"\bvalidate___definitions_", "_check_"),
    (r"\bvalidate\(data\)", "check(data: Any) -> Any"),
)


def source() -> str:
    """The text of schema_fast.py for the schema as it is."""
    import fastjsonschema

    schema = json.loads((folder("schemas") / "op.schema.json").read_text(encoding="utf-8"))
    code = fastjsonschema.compile_to_code(_bare(schema), use_default=False)
    code = code[code.index("REGEX_PATTERNS") :].replace("NoneType = type(None)\n\n", "")
    for pattern, replacement in _REWRITES:
        code = re.sub(pattern, replacement, code, flags=re.MULTILINE)
    return _HEAD + re.sub(r"[ \t]+$", "", code, flags=re.MULTILINE).rstrip() + "\n"


def _bare(schema: Any, names: bool = False) -> Any:
    """The schema without what is said to people; names: the keys here are names of fields."""
    if isinstance(schema, dict):
        return {
            key: _bare(value, not names and key in ("properties", "definitions"))
            for key, value in schema.items()
            if names or (key not in _WORDS and not key.startswith("x-"))
        }
    return [_bare(item) for item in schema] if isinstance(schema, list) else schema


if __name__ == "__main__":
    TARGET.write_text(source(), encoding="utf-8", newline="\n")
