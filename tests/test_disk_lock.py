"""The lock is deterministic, survives a round trip, and is not trusted when it is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from disk_support import plan
from opgen.disk.lock import Lock, LockedFile, read_lock
from opgen.disk.write import write
from opgen.text.findings import Refused

HASH = "0" * 64
ENTRY = {"owner": "generated", "sha256": HASH, "executable": False}


def lock_in(folder: Path, text: str | bytes) -> Path:
    (folder / ".opgen").mkdir()
    (folder / ".opgen/lock.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def document(**changes: Any) -> str:
    good = {"format": 1, "opgen": "0.1.0", "spec": "1", "templates": "2", "findings": 0, "files": {"a": ENTRY}}
    return json.dumps({**good, **changes})


def test_round_trip(tmp_path: Path) -> None:
    files = {"b/é中.h": LockedFile("once", HASH, False), "a.sh": LockedFile("generated", HASH, True)}
    lock = Lock("0.1.0", "1", "2", 3, files)
    assert read_lock(lock_in(tmp_path, lock.text())) == lock
    assert list(json.loads(lock.text())["files"]) == ["a.sh", "b/é中.h"]


def test_one_line_a_file_and_the_same_bytes_in_any_order() -> None:
    one, two = LockedFile("once", HASH, False), LockedFile("generated", HASH, True)
    text = Lock("0.1.0", "1", "2", 0, {"a": one, "b": two}).text()
    assert text == Lock("0.1.0", "1", "2", 0, {"b": two, "a": one}).text()
    assert f'    "a": {{"owner": "once", "sha256": "{HASH}", "executable": false}},\n' in text
    assert text.endswith("}\n")


def test_no_lock_is_no_error(tmp_path: Path) -> None:
    assert read_lock(tmp_path) is None


def test_a_checkout_with_crlf_reads_the_same(tmp_path: Path) -> None:
    lock = Lock("0.1.0", "1", "2", 0, {"a": LockedFile("once", HASH, False)})
    assert read_lock(lock_in(tmp_path, lock.text().replace("\n", "\r\n"))) == lock


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("[]", "not an object"),
        ("[" * 100_000, "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (document(format=2), "format is 2"),
        (document(format=True), "format is True"),
        (document(format=None), "format is None"),
        (document(opgen=1), '"opgen" is 1'),
        (document(spec=None), '"spec" is None'),
        (document(findings=True), '"findings" is True'),
        (document(files=[]), '"files" is []'),
        (document(files={"a": 1}), 'entry of "a"'),
        (document(files={"a": {**ENTRY, "more": 1}}), 'entry of "a"'),
        (document(files={"a": {**ENTRY, "owner": "me"}}), "owner"),
        (document(files={"a": {**ENTRY, "owner": ["once"]}}), "owner"),
        (document(files={"a": {**ENTRY, "sha256": "0"}}), "hash"),
        (document(files={"a": {**ENTRY, "executable": 1}}), "executable"),
        ('{"format": 1, "format": 1}', "twice"),
        ('{\n<<<<<<< HEAD\n"format": 1\n=======\n"format": 1\n>>>>>>> theirs\n}', "line 2 is a conflict marker"),
        (" " * 4_000_001, "larger than any lock"),
    ],
)
def test_a_lock_that_cannot_be_used(tmp_path: Path, text: str | bytes, says: str) -> None:
    with pytest.raises(Refused) as refused:
        read_lock(lock_in(tmp_path, text))
    (finding,) = refused.value.findings
    assert finding.rule == "OPG601"
    assert says in finding.what
    assert finding.fix
    assert finding.place is not None
    assert finding.place.file == ".opgen/lock.json"


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "C:\\x", "op.yaml", ".git/config", "", "\ud800"])
def test_a_lock_that_names_what_is_not_ours(tmp_path: Path, path: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine\n")
    project = tmp_path / "project"
    project.mkdir()
    lock_in(project, document(files={path: ENTRY}))
    with pytest.raises(Refused) as refused:
        write(plan(), project)
    assert [f.rule for f in refused.value.findings] == ["OPG602"]
    assert victim.read_text() == "mine\n"
    assert [p.name for p in project.iterdir()] == [".opgen"]


def test_the_lock_may_not_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(document())
    (tmp_path / "project/.opgen").mkdir(parents=True)
    (tmp_path / "project/.opgen/lock.json").symlink_to(tmp_path / "other.json")
    with pytest.raises(Refused) as refused:
        read_lock(tmp_path / "project")
    assert refused.value.findings[0].rule == "OPG603"
