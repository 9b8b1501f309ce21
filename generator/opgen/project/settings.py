"""opgen.toml: what holds for every project of a repository.

[defaults]                       # of op.yaml, where it does not say
cann = "9.1"
soc = "Ascend910_9362"

[pypto]                          # the operator repository that PyPTO folders are for
cmake = "add_modules_sources"    # or add_modules_sources_with_soc, add_all_modules_sources
require_pypto_pro = true         # the repository has that macro
vendor = "custom"                # name of the operator package, in the commands of the READMEs

[readme]
first = "en"                     # language of README.md; the other is README_zh.md or README_en.md

[license]
header = '''...'''               # stands below the first line of every generated file

[templates]
folder = "templates"             # a file there shadows the template of the same path

[layout]
projects = ["operators"]         # where op.yaml files are looked for
ignore = ["third_party"]         # and where not

[overview]                       # documents that hold a table of all operators, between markers
en = "README.md"
zh = "README_zh.md"

[documents]                      # hand-written documents, Chinese and English, that say the same
pairs = [["docs/zh/build.md", "docs/en/build.md"]]
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from opgen.spec.defaults import CMAKE_MACROS, Defaults, Repository
from opgen.text.findings import Finding, Place, Refused

NAME = "opgen.toml"
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class Settings:
    """root: the folder of opgen.toml, absolute; None where there is none. templates, projects, ignore, overview: paths
    relative to it, with slashes. overrides: text of every file that shadows a template, by the template's path."""

    root: Path | None = None
    defaults: Defaults = field(default_factory=Defaults)
    licence: str = ""
    templates: str = ""
    overrides: Mapping[str, str] = field(default_factory=dict)
    projects: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    overview: Mapping[str, str] = field(default_factory=dict)  # by language
    pairs: tuple[tuple[str, str], ...] = ()  # Chinese, English

    @property
    def shown_templates(self) -> str:
        """The folder of templates, as findings call it."""
        return _shown(self.root / self.templates) if self.root else ""

    def refuse_text(self, path: str, problem: str) -> Refused:
        """A finding about a text that a template of the repository gave."""
        names = [f"{path}.j2", path]
        name = next((name for name in names if name in self.overrides), next(iter(self.overrides)))
        why = "generated texts have LF ends, no blanks at the end of a line and one newline at the end of the file"
        what = f'the templates of this repository make a text that is not well formed: "{path}"{problem}'
        place = Place(f"{self.shown_templates}/{name}", 1, 1)
        return Refused([Finding("OPG618", what, why, "correct the template", place=place)])

    def holds(self, folder: str) -> bool:
        """Whether projects are looked for in a folder, or below it."""
        parts = Path(os.path.relpath(os.path.abspath(folder), self.root)).parts  # noqa: PTH100
        if any(_begins(parts, Path(other).parts) for other in self.ignore):
            return False
        wanted = [Path(other).parts for other in self.projects]
        return not wanted or any(_begins(parts, other) or _begins(other, parts) for other in wanted)

    def digest(self) -> str:
        """Hash of all that decides a text of a project; "" where nothing does."""
        parts = [self.licence, *_parts(self.defaults)]
        if parts == ["", *_PLAIN] and not self.overrides:
            return ""
        for name, text in sorted(self.overrides.items()):
            parts += [name, text]
        digest = hashlib.sha256()
        for part in parts:
            data = part.encode()
            digest.update(b"%d\0%s" % (len(data), data))
        return digest.hexdigest()


def _begins(path: tuple[str, ...], start: tuple[str, ...]) -> bool:
    return path[: len(start)] == start


def _parts(defaults: Defaults) -> list[str]:
    """What decides texts: nothing more for those who keep to what is usual."""
    own = [] if defaults.repository == Repository() else list(map(str, astuple(defaults.repository)))
    return [defaults.first, defaults.cann, defaults.soc, *own]


_PLAIN = _parts(Defaults())


def settings_of(folder: Path) -> Settings:
    """The settings that hold in a folder: those of the nearest opgen.toml above it, within the repository of git that
    it is in. Refused (OPG617, OPG618) when they cannot be used."""
    root = _root(os.path.abspath(folder))  # noqa: PTH100 - links stay as they are named
    return _read(root) if root is not None else Settings()


@cache
def _root(folder: str) -> str | None:
    if os.path.lexists(os.path.join(folder, NAME)):  # noqa: PTH118 - called for every project of a repository
        return folder
    parent = os.path.dirname(folder)  # noqa: PTH120
    if parent == folder or os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118
        return None
    return _root(parent)


def forget() -> None:
    """For processes that outlive a change of opgen.toml."""
    _root.cache_clear()
    _read.cache_clear()


@cache
def _read(root: str) -> Settings:
    path = Path(root, NAME)
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES)
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise _Reader(path, "").refuse("it is not UTF-8", "save it as UTF-8") from None
    except OSError as error:
        raise _Reader(path, "").refuse(f"it cannot be read: {error.strerror}", "make it a readable file") from None
    return _Reader(path, text.replace("\r\n", "\n")).settings()


class _Reader:
    """Reads one opgen.toml."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text

    def refuse(self, what: str, fix: str, word: str = "", rule: str = "OPG617", file: Path | None = None) -> Refused:
        """word: what to look for in the text, to tell the line."""
        why = "it holds for every project below its folder, so that a slip in it would change them all"
        line = next((n for n, line in enumerate(self._text.split("\n"), 1) if word and word in line), 1)
        place = Place(_shown(file or self._path), 1 if file else line, 1)
        return Refused([Finding(rule, f"{NAME} cannot be used: {what}", why, fix, place=place)])

    def settings(self) -> Settings:
        data = self._parsed()
        known: dict[str, dict[str, Callable[[str, Any], Any]]] = {
            "defaults": {"cann": self._cann, "soc": self._soc},
            "pypto": {"cmake": self._macro, "require_pypto_pro": self._truth, "vendor": self._vendor},
            "readme": {"first": self._language},
            "license": {"header": self._header},
            "templates": {"folder": self._folder},
            "layout": {"projects": self._folders, "ignore": self._folders},
            "overview": {"en": self._document, "zh": self._document},
            "documents": {"pairs": self._pairs},
        }
        found: dict[str, Any] = {}
        for table, values in data.items():
            if table not in known or not isinstance(values, dict):
                raise self._unknown(table, f"table [{table}]", known)
            for key, value in values.items():
                if key not in known[table]:
                    raise self._unknown(key, f"{key} in [{table}]", known[table])
                found[f"{table}.{key}"] = known[table][key](key, value)
        templates = found.get("templates.folder", "")
        plain = Defaults()
        return Settings(
            root=self._path.parent,
            defaults=Defaults(
                found.get("defaults.cann", plain.cann),
                found.get("defaults.soc", plain.soc),
                found.get("readme.first", plain.first),
                Repository(
                    found.get("pypto.cmake", plain.repository.macro),
                    found.get("pypto.require_pypto_pro", plain.repository.require_pypto_pro),
                    found.get("pypto.vendor", plain.repository.vendor),
                ),
            ),
            licence=found.get("license.header", ""),
            templates=templates,
            overrides=dict(self._overrides(templates)) if templates else {},
            projects=found.get("layout.projects", ()),
            ignore=found.get("layout.ignore", ()),
            pairs=found.get("documents.pairs", ()),
            overview={
                language: found[f"overview.{language}"] for language in ("zh", "en") if f"overview.{language}" in found
            },
        )

    def _parsed(self) -> dict[str, Any]:
        if sys.version_info >= (3, 11):
            import tomllib
        else:
            import tomli as tomllib
        try:
            data: dict[str, Any] = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            match = re.search(r"line (\d+), column (\d+)", str(error))
            line, column = (int(match[1]), int(match[2])) if match else (1, 1)
            what = f"{NAME} cannot be used: it is not TOML: {error}"
            place = Place(_shown(self._path), line, column)
            fix = "correct the line; strings stand in quotes"
            raise Refused([Finding("OPG617", what, "its format is TOML", fix, place=place)]) from None
        return data

    def _unknown(self, word: str, what: str, known: Mapping[str, object]) -> Refused:
        from opgen.text.suggest import closest

        near = closest(word, known)
        return self.refuse(
            f"there is no {what}", f"did you mean {near}?" if near else f"there are {', '.join(known)}", word
        )

    def _string(self, key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise self.refuse(f"{key} is {value!r}", "write a string, in quotes", key)
        return value

    def _cann(self, key: str, value: Any) -> str:
        if self._string(key, value) not in ("9.1", "9.2"):
            raise self.refuse(f'{key} is "{value}"', 'write "9.1" or "9.2"', key)
        return str(value)

    def _soc(self, key: str, value: Any) -> str:
        from opgen.facts.socs import SOCS
        from opgen.text.suggest import closest

        names = [name for soc in SOCS for name in (soc.name, *soc.aliases)]
        if self._string(key, value) not in names:
            near = closest(value, names)
            raise self.refuse(
                f'{key} is "{value}", which is no chip',
                f"did you mean {near}?" if near else "name the chip that `npu-smi info` shows",
                key,
            )
        return str(value)

    def _language(self, key: str, value: Any) -> str:
        if value not in ("en", "zh"):
            raise self.refuse(f"{key} is {value!r}", 'write "zh" or "en"', key)
        return str(value)

    def _macro(self, key: str, value: Any) -> str:
        if self._string(key, value) not in CMAKE_MACROS:
            raise self.refuse(f'{key} is "{value}"', f"write {', '.join(CMAKE_MACROS[:-1])} or {CMAKE_MACROS[-1]}", key)
        return str(value)

    def _truth(self, key: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.refuse(f"{key} is {value!r}", "write true or false", key)
        return value

    def _vendor(self, key: str, value: Any) -> str:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", self._string(key, value)):
            raise self.refuse(f'{key} is "{value}"', "write letters, digits and underscores", key)
        return str(value)

    def _header(self, key: str, value: Any) -> str:
        text = self._string(key, value).strip("\n")
        if bad := re.search(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029]|-->|\*/", text):
            raise self.refuse(f"{key} holds {bad.group()!r}", "write text that every comment can hold", key)
        return "\n".join(line.rstrip() for line in text.split("\n"))

    def _path_of(self, key: str, value: Any) -> str:
        from opgen.disk.paths import path_problem

        path = self._string(key, value).rstrip("/")
        if problem := path_problem(path):
            raise self.refuse(f'{key} is "{value}": {problem}', f"name a path below the folder of {NAME}", key)
        if not (self._path.parent / path).resolve().is_relative_to(self._path.parent.resolve()):
            raise self.refuse(
                f'{key} is "{value}", which a link leads out of the repository', "name a folder in it", key
            )
        return path

    def _folder(self, key: str, value: Any) -> str:
        path = self._path_of(key, value)
        if not (self._path.parent / path).is_dir():
            raise self.refuse(f'{key} is "{value}", where no folder is', f"name a folder beside {NAME}", key)
        return path

    def _folders(self, key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self.refuse(f"{key} is {value!r}", "write a list of folders", key)
        return tuple(self._path_of(key, item) for item in value)

    def _document(self, key: str, value: Any) -> str:
        path = self._path_of(key, value)
        if not path.endswith(".md"):
            raise self.refuse(f'{key} is "{value}"', "name a Markdown document", key)
        return path

    def _pairs(self, key: str, value: Any) -> tuple[tuple[str, str], ...]:
        if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            raise self.refuse(f"{key} is {value!r}", 'write a list of pairs: [["a_zh.md", "a.md"]]', key)
        return tuple((self._document(key, zh), self._document(key, en)) for zh, en in value)

    def _overrides(self, folder: str) -> Iterator[tuple[str, str]]:
        """Refused (OPG618) for a file that shadows nothing, leads out of the folder, or is no text."""
        from opgen.templating import names
        from opgen.text.suggest import closest

        top = self._path.parent / folder
        for path in sorted(p for p in top.rglob("*") if not p.is_dir()):
            name = path.relative_to(top).as_posix()
            if name not in names():
                near = closest(name, names())
                fix = f"did you mean {near}?" if near else f"there are {', '.join(sorted(names()))}"
                raise self.refuse(f'"{name}" shadows no template', fix, rule="OPG618", file=path)
            if not path.resolve().is_relative_to(top.resolve()) or not path.is_file():
                raise self.refuse(
                    f'"{name}" is no file of this folder', "replace the link by the file", rule="OPG618", file=path
                )
            try:
                yield name, path.read_text(encoding="utf-8")
            except (UnicodeDecodeError, OSError):
                raise self.refuse(f'"{name}" is not UTF-8 text', "save it as UTF-8", rule="OPG618", file=path) from None


def _shown(path: Path) -> str:
    try:
        found = os.path.relpath(path)
    except ValueError:
        found = str(path)
    return os.fsencode(found).decode("utf-8", "backslashreplace").replace(os.sep, "/")
