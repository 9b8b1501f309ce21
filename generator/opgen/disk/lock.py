"""The lock: what opgen wrote last. Committed, so it is read as untrusted input.

    {
      "format": 1,
      "opgen": "0.1.0",
      "spec": SHA-256 of op.yaml,
      "templates": SHA-256 of templates and generator,
      "findings": warnings and notes that op.yaml had,
      "files": {
        PATH: {"owner": "generated" or "once", "sha256": of the bytes written, "executable": bool},
        ...
      }
    }

Sorted, one line a file, no times: a merge of two branches conflicts only where the files do.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opgen.disk.paths import LOCK, Ways, linked, path_problem, place
from opgen.disk.plan import Owner
from opgen.text.findings import Finding, Refused

FORMAT = 1
_MAX_BYTES = 4_000_000  # a project has some thirty files; no lock of ours comes near
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")
_CONFLICT = re.compile(r"^(<{7} |={7}$|>{7} )", re.MULTILINE)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True)
class LockedFile:
    """owner, executable: as planned. sha256: of the bytes that opgen wrote; of owner once: would have
    written at first."""

    owner: Owner
    sha256: str
    executable: bool


@dataclass(frozen=True)
class Lock:
    """findings: warnings and notes of op.yaml; a check that renders nothing would not show them."""

    version: str
    spec_hash: str
    template_hash: str
    findings: int = 0
    files: dict[str, LockedFile] = field(default_factory=dict)

    def text(self) -> str:
        lines = [
            f"    {_json(path)}: "
            + f'{{"owner": "{f.owner}", "sha256": "{f.sha256}", "executable": {_json(f.executable)}}}'
            for path, f in sorted(self.files.items())
        ]
        head = {
            "format": FORMAT,
            "opgen": self.version,
            "spec": self.spec_hash,
            "templates": self.template_hash,
            "findings": self.findings,
        }
        body = "".join(f"  {_json(key)}: {_json(value)},\n" for key, value in head.items())
        files = "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"
        return f'{{\n{body}  "files": {files}\n}}\n'


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
    findings = [f for path in files if (f := _outside(path))]
    if findings:
        raise Refused(findings)
    return Lock(
        version=_typed(value, "opgen", str),
        spec_hash=_typed(value, "spec", str),
        template_hash=_typed(value, "templates", str),
        findings=_typed(value, "findings", int),
        files={path: _file(path, entry) for path, entry in files.items()},
    )


def _file(path: str, value: Any) -> LockedFile:
    if not isinstance(value, dict) or set(value) != {"owner", "sha256", "executable"}:
        raise _broken(f'the entry of "{path}" is not {{owner, sha256, executable}}')
    owner, digest, executable = value["owner"], value["sha256"], value["executable"]
    if owner not in ("generated", "once"):
        raise _broken(f'the owner of "{path}" is {owner!r}')
    if not isinstance(digest, str) or not _SHA256.match(digest):
        raise _broken(f'the hash of "{path}" is {digest!r}')
    if not isinstance(executable, bool):
        raise _broken(f'"executable" of "{path}" is {executable!r}')
    return LockedFile(owner, digest, executable)


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
