"""Why a document does not fit op.schema.json, one finding a mistake. Imports jsonschema, so only for a failure."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from typing import Any

from jsonschema import Draft7Validator, ValidationError, validators
from jsonschema._types import TypeChecker

from opgen.resources import folder
from opgen.spec.schema import unquoted
from opgen.spec.schema_words import (
    broken_pattern,
    label,
    not_allowed,
    pattern_matches,
    shown,
    wrong_size,
    wrong_type,
)
from opgen.text.findings import Finding
from opgen.text.suggest import closest
from opgen.text.yaml_lexical import LOOKALIKE, twin
from opgen.text.yaml_nodes import MAX_FINDINGS
from opgen.text.yaml_reader import Document
from opgen.text.yaml_scalars import mistaken_for

_MAX_REPAIRS = 20
_CLOSED = "op.yaml is a closed language, so that no slip is silently ignored."
# Keys of the whole library, which people write into an item of ops.
_OUTSIDE = frozenset(("edition", "project", "scenario", "cann", "soc", "extra", "neighbour"))
_KEY_HINTS = {
    "description": "summary",
    "comment": "doc",
    "formula": "compute",
    "expression": "compute",
    "attributes": "attrs",
    "params": "attrs",
    "arguments": "inputs",
    "type": "dtype",
    "data_type": "dtype",
    "dimensions": "dims",
    "symbols": "dims",
    "types": "dtypes",
    "operator": "op",
    "operators": "ops",
    "chip": "soc",
    "platform": "soc",
    "optional": "default",
    "enum": "values",
    "choices": "values",
    "minimum": "min",
    "maximum": "max",
    "tile": "tiling",
}


def explain(document: Document) -> list[Finding]:
    """The findings, without places. Empty when the document fits."""
    return _Explanation(document).findings


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not pattern_matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match")


def _integer(_: TypeChecker, instance: Any) -> bool:
    return isinstance(instance, int) and not isinstance(instance, bool)


_Validator: Any = validators.extend(  # type: ignore[no-untyped-call]
    Draft7Validator, {"pattern": _pattern}, type_checker=Draft7Validator.TYPE_CHECKER.redefine("integer", _integer)
)


class _Explanation:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._renamed: dict[tuple[Any, ...], str] = {}  # path in the repaired data -> key as written
        schema = json.loads((folder("schemas") / "op.schema.json").read_text(encoding="utf-8"))
        self._schema = schema
        validator = _Validator(schema)
        data = copy.deepcopy(document.data)
        self.findings: list[Finding] = []
        errors: list[ValidationError] = []
        for _ in range(_MAX_REPAIRS):
            errors = list(validator.iter_errors(data))
            unknown = [e for e in errors if e.validator == "additionalProperties"]
            if not unknown:
                break
            for error in unknown:
                self._unknown(error)
        self._missing([e for e in errors if e.validator == "required"])
        for error in errors:
            if error.validator not in ("required", "additionalProperties", "not"):
                self.findings.append(self._value(error))
        self._excluded([e for e in errors if e.validator == "not"])

    def _pointer(self, path: Sequence[Any]) -> str:
        """The JSON pointer in the document as written."""
        steps = []
        for end in range(1, len(path) + 1):
            steps.append(str(self._renamed.get(tuple(path[:end]), path[end - 1])))
        return "".join("/" + s.replace("~", "~0").replace("/", "~1") for s in steps)

    def _unknown(self, error: ValidationError) -> None:
        """Reports unknown keys and repairs them in the data, so that what is below and beside them is judged."""
        instance: Any = error.instance
        schema: Any = error.schema
        path = tuple(error.absolute_path)
        known = schema.get("properties", {})
        unknown = [k for k in instance if k not in known]
        for key in unknown[MAX_FINDINGS:]:
            del instance[key]
        for key in unknown[:MAX_FINDINGS]:
            meant = _meant(key, known)
            here = ", ".join(known)
            fix = f"Known here: {here}."
            if len(path) == 2 and path[0] == "ops" and key in _OUTSIDE:
                meant, fix = None, f"Move {key} out of ops, to the top of the file."
            elif meant in instance:
                fix, meant = f"{meant} stands here already; remove one of them.", None
            elif meant:
                fix = f"Write {meant}." + (f" Known here: {here}." if len(known) <= 12 else "")
            self.findings.append(
                Finding(
                    "OPG011",
                    f"unknown key {shown(key)}" + (f" in {label(path)}" if path else ""),
                    why=_CLOSED,
                    fix=fix,
                    pointer=self._pointer((*path, key)),
                    key=True,
                )
            )
            items = [(meant if k == key else k, v) for k, v in instance.items() if k != key or meant]
            instance.clear()
            instance.update(items)
            if meant:
                at = (*path, meant)
                self._renamed[at] = key

    def _missing(self, errors: Sequence[ValidationError]) -> None:
        """One finding for each mapping that lacks keys; conditions have one of their own."""
        plain: dict[tuple[Any, ...], list[str]] = {}
        for error in errors:
            schema: Any = error.schema
            path = tuple(error.absolute_path)
            instance: Any = error.instance
            missing = [k for k in schema["required"] if k not in instance]
            if "errorMessage" in schema:
                finding = Finding(
                    "OPG014",
                    f"missing key {', '.join(missing)}" + (f" in {label(path)}" if path else ""),
                    why=schema["errorMessage"],
                    fix=schema["x-fix"],
                    pointer=self._pointer(path),
                )
                if finding not in self.findings:
                    self.findings.append(finding)
                continue
            known = plain.setdefault(path, [])
            known.extend(k for k in missing if k not in known)
        for path, keys in plain.items():
            described = [self._describe(path, k) for k in keys]
            self.findings.append(
                Finding(
                    "OPG014",
                    f"missing {'key' if len(keys) == 1 else 'keys'} {', '.join(keys)}"
                    + (f" in {label(path)}" if path else ""),
                    why=described[0].get("description", "") if len(keys) == 1 else "",
                    fix="Add "
                    + "; ".join(str(d.get("x-example", k)) for d, k in zip(described, keys, strict=True))
                    + ".",
                    pointer=self._pointer(path),
                )
            )

    def _value(self, error: ValidationError) -> Finding:
        schema: Any = error.schema
        path = list(error.absolute_path)
        value: Any = error.instance
        key = "propertyNames" in error.absolute_schema_path
        if key:
            path.append(value)
        pointer = self._pointer(path)
        name = label(path[:-1] if key else path)
        if error.validator in ("type", "enum", "pattern") and not key:
            quoted = self._unquoted(error, pointer)
            if quoted:
                return quoted
        if error.validator == "type":
            scalar = self._document.scalar(pointer)
            what, fix = wrong_type(name, value, schema, scalar)
            return Finding("OPG012", what, fix=fix, pointer=pointer)
        if error.validator in ("enum", "const", "minimum", "maximum"):
            what, why, fix = not_allowed(name, value, str(error.validator), schema)
            return Finding("OPG015", what, why=why, fix=fix, pointer=pointer, key=key)
        if error.validator == "pattern" or error.validator in ("minLength", "maxLength"):
            what, why, fix, offset = broken_pattern(name, value, schema)
            return Finding("OPG017", what, why=why, fix=fix, pointer=pointer, offset=None if key else offset, key=key)
        what, fix, item = wrong_size(name, value, str(error.validator), schema)
        return Finding("OPG018", what, fix=fix, pointer=pointer if item is None else f"{pointer}/{item}")

    def _excluded(self, errors: Sequence[ValidationError]) -> None:
        """One finding for all keys of a mapping that one reason excludes."""
        groups: dict[tuple[tuple[Any, ...], str], list[ValidationError]] = {}
        for error in errors:
            schema: Any = error.schema
            groups.setdefault((tuple(error.absolute_path)[:-1], schema["errorMessage"]), []).append(error)
        for (path, why), group in groups.items():
            keys = [str(e.absolute_path[-1]) for e in group]
            first: Any = group[0].schema
            fix = first["x-fix"].replace(keys[0], ", ".join(keys), 1)
            self.findings.append(
                Finding(
                    "OPG016",
                    f"{', '.join(keys)} cannot stand" + (f" in {label(path)}" if path else " here"),
                    why=why,
                    fix=fix,
                    pointer=self._pointer((*path, keys[0])),
                    key=True,
                )
            )

    def _describe(self, path: tuple[Any, ...], key: str) -> dict[str, Any]:
        """What the schema says about a key that is missing from the mapping at `path`."""
        schema = self._schema
        for step in (*path, key):
            while "$ref" in schema:
                schema = self._schema["definitions"][schema["$ref"].rpartition("/")[2]]
            if isinstance(step, int):
                schema = schema.get("items", {})
            else:
                schema = schema.get("properties", {}).get(step, schema.get("additionalProperties") or {})
        while "$ref" in schema:
            schema = self._schema["definitions"][schema["$ref"].rpartition("/")[2]]
        return dict(schema)

    def _unquoted(self, error: ValidationError, pointer: str) -> Finding | None:
        """The finding "quote it" for a plain scalar that is no string, where only strings are wanted."""
        schema: Any = error.schema
        scalar = self._document.scalar(pointer)
        if isinstance(error.instance, str) or schema.get("type") != "string" or not scalar or scalar[1] != "plain":
            return None
        text = scalar[0]
        other = mistaken_for(text)
        if not text or other is None:
            return None
        if "pattern" in schema and not pattern_matches(schema["pattern"], text):
            what, why, fix, offset = broken_pattern(label(list(error.absolute_path)), text, schema)
            return Finding("OPG017", what, why=why, fix=fix, pointer=pointer, offset=offset)
        if "x-example" in schema and schema["x-example"].startswith("compute:"):
            return None
        choices = schema.get("enum", ())
        fix = (
            ""
            if not choices or text in choices
            else "Write one of " + ", ".join(f'"{c}"' for c in choices) + ", with quotes."
        )
        return unquoted(pointer, text, other, fix)


def _meant(key: str, known: dict[str, Any]) -> str | None:
    plain = LOOKALIKE.sub(lambda m: twin(m.group()) if m.group() > "\uff00" else "", key).strip()
    hint = _KEY_HINTS.get(plain.lower())
    return hint if hint in known else closest(plain, known)
