"""The lock: what opgen wrote last. Committed, so it is read as untrusted input.

    {
      "format": 1,
      "opgen": "0.1.0",
      "spec": SHA-256 of op.yaml,
      "templates": SHA-256 of templates and generator,
      "findings": warnings and notes that op.yaml had,
      "about": what an overview says of the project, where there is something to say,
      "texts": {
        FIELD: [hash of the English text, of the Chinese text] as the two last agreed,
        ...
      },
      "files": {
        PATH: {"owner": "generated" or "once", "sha256": of the bytes written, "executable": bool,
               "merge": "open", or SHA-256 of the text that a merge gave, where there was one},
        ...
      }
    }

Sorted, one line a file, no times: a merge of two branches conflicts only where the files do.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opgen.disk.paths import LOCK, Ways, linked, path_problem, place
from opgen.disk.plan import About, Owner
from opgen.text.findings import Finding, Refused

FORMAT = 1
_MAX_BYTES = 4_000_000  # a project has some thirty files; no lock of ours comes near
OPEN = "open"
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")
_SHORT = re.compile(r"[0-9a-f]{16}\Z")
_CONFLICT = re.compile(r"^(<{7} |={7}$|>{7} )", re.MULTILINE)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True)
class LockedFile:
    """owner, executable: as planned. sha256: of the bytes that were planned; of owner once: at first. merge: hash of
    the text that a person's edit and the plan gave together, OPEN while there are conflicts in it, "" for none."""

    owner: Owner
    sha256: str
    executable: bool
    merge: str = ""

    @property
    def on_disk(self) -> str:
        """Hash of what lies on the disk when all is well."""
        return self.merge or self.sha256


@dataclass(frozen=True)
class Lock:
    """findings: warnings and notes of op.yaml; a check that renders nothing would not show them. texts: short hashes of
    the texts in two languages, by field, as they last agreed."""

    version: str
    spec_hash: str
    template_hash: str
    findings: int = 0
    files: dict[str, LockedFile] = field(default_factory=dict)
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    about: About | None = None

    def text(self) -> str:
        files = {path: _entry(file) for path, file in self.files.items()}
        head: dict[str, object] = {
            "format": FORMAT,
            "opgen": self.version,
            "spec": self.spec_hash,
            "templates": self.template_hash,
            "findings": self.findings,
        }
        if self.about is not None:
            head["about"] = self.about.plain()
        body = "".join(f"  {_json(key)}: {_json(value)},\n" for key, value in head.items())
        if self.texts:
            body += f'  "texts": {_lines(self.texts)},\n'
        return f'{{\n{body}  "files": {_lines(files)}\n}}\n'


def _entry(file: LockedFile) -> dict[str, object]:
    plain: dict[str, object] = {"owner": file.owner, "sha256": file.sha256, "executable": file.executable}
    return {**plain, "merge": file.merge} if file.merge else plain


def _lines(values: Mapping[str, object]) -> str:
    """An object, ascending by key, one line a key."""
    lines = [f"    {_json(key)}: {_json(value)}" for key, value in sorted(values.items())]
    return "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_lock(folder: Path) -> Lock | None:
    """The lock of a project, None when it has none. Refused (OPG601, OPG602, OPG603) when it cannot be trusted."""
    full = folder / LOCK
    if Ways(folder).to(LOCK) == "link" or full.is_symlink():
        raise Refused([linked(LOCK)])
    try:
        with full.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        raise _broken("it is a folder") from None
    if len(data) > _MAX_BYTES:
        raise _broken("it is larger than any lock that opgen writes")
    return _parse(data)


def _parse(data: bytes) -> Lock:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise _broken("it is not UTF-8") from None
    if match := _CONFLICT.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise _broken(f"line {line} is a conflict marker of git", "keep either side, then run `opgen generate`")
    try:
        value = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise _broken(f"it is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise _broken("it is not an object")
    if value.get("format") != FORMAT or isinstance(value["format"], bool):
        what = f"its format is {value.get('format')!r}, this opgen reads {FORMAT}"
        raise _broken(what, "use the opgen that wrote it")
    files = _typed(value, "files", dict)
    if not isinstance(value.get("texts", {}), dict):
        raise _broken(f'"texts" is {value["texts"]!r}')
    findings = [f for path in files if (f := _outside(path))]
    if findings:
        raise Refused(findings)
    return Lock(
        version=_typed(value, "opgen", str),
        spec_hash=_typed(value, "spec", str),
        template_hash=_typed(value, "templates", str),
        findings=_typed(value, "findings", int),
        files={path: _file(path, entry) for path, entry in files.items()},
        texts={name: _hashes(name, pair) for name, pair in value.get("texts", {}).items()},
        about=_about(value.get("about")),
    )


def _file(path: str, value: Any) -> LockedFile:
    if not isinstance(value, dict) or set(value) - {"merge"} != {"owner", "sha256", "executable"}:
        raise _broken(f'the entry of "{path}" is not {{owner, sha256, executable}}')
    owner, digest, executable = value["owner"], value["sha256"], value["executable"]
    if owner not in ("generated", "once"):
        raise _broken(f'the owner of "{path}" is {owner!r}')
    if not isinstance(digest, str) or not _SHA256.match(digest):
        raise _broken(f'the hash of "{path}" is {digest!r}')
    if not isinstance(executable, bool):
        raise _broken(f'"executable" of "{path}" is {executable!r}')
    merge = value.get("merge", "")
    if not isinstance(merge, str) or not (merge in ("", OPEN) or _SHA256.match(merge)):
        raise _broken(f'"merge" of "{path}" is {merge!r}')
    return LockedFile(owner, digest, executable, merge)


def _hashes(name: str, pair: Any) -> tuple[str, str]:
    if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(h, str) and _SHORT.match(h) for h in pair):
        raise _broken(f'the hashes of the text "{name}" are {pair!r}')
    return pair[0], pair[1]


def _about(value: Any) -> About | None:
    if value is None:
        return None
    try:
        return About.read(value)
    except (KeyError, TypeError, ValueError):
        raise _broken(f'"about" is {value!r}') from None


def _typed(value: dict[str, Any], key: str, kind: type) -> Any:
    if type(value.get(key)) is not kind:
        raise _broken(f'"{key}" is {value.get(key)!r}')
    return value[key]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands there twice")
    return value


def _outside(path: str) -> Finding | None:
    problem = path_problem(path)
    if problem is None:
        return None
    return Finding(
        "OPG602",
        f'{LOCK} names "{path}": {problem}',
        "opgen removes and replaces what the lock names, so it names files of this project only",
        f"restore {LOCK} from version control, or delete it and run `opgen generate`",
        place=place(LOCK),
    )


def _broken(what: str, fix: str = "") -> Refused:
    why = "the lock says which files are opgen's and what it wrote; without it edits cannot be told from old text"
    restore = f"restore {LOCK} from version control, or delete it: `opgen generate` takes over files that are identical"
    return Refused([Finding("OPG601", f"{LOCK} cannot be used: {what}", why, fix or restore, place=place(LOCK))])
