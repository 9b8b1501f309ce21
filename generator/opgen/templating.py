"""The one Jinja2 environment: templates hold text, decisions are made in Python.

A repository may shadow templates. Those are somebody else's text: they run in a sandbox, and what is wrong with one is
a finding at its line.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opgen.text.findings import Finding, Place, Refused

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = Path(__file__).resolve().parent / "templates"

_SHADOW = "<shadow>/"  # before the name of a repository's template, in tracebacks


class TemplateFault(Exception):
    """A template cannot be rendered: "ge/custom_op.cpp.j2:12: 'key' is undefined". A fault of opgen, not of op.yaml."""


class _Shadows:
    """Templates of a repository, in an environment of their own. folder: what findings call theirs."""

    def __init__(self, texts: Mapping[str, str], folder: str) -> None:
        from jinja2 import ChoiceLoader, FunctionLoader, PackageLoader
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        self.texts = texts
        self.folder = folder
        loader = ChoiceLoader([FunctionLoader(self._load), PackageLoader("opgen", "templates")])
        self.environment: Environment = ImmutableSandboxedEnvironment(loader=loader, **_options())

    def _load(self, name: str) -> tuple[str, str | None, None] | None:
        return (self.texts[name], _SHADOW + name, None) if name in self.texts else None

    def refuse(self, name: str, line: int, what: str) -> Refused:
        why = "a template is rendered strictly, and in a sandbox: what is not there is an error, and no code runs"
        fix = "correct the template; the names that it may use are those of the template that it shadows"
        finding = Finding("OPG618", what, why, fix, place=Place(f"{self.folder}/{name}", line, 1))
        return Refused([finding])


_SHADOWS: ContextVar[_Shadows | None] = ContextVar("shadows", default=None)


@contextmanager
def shadowing(texts: Mapping[str, str], folder: str) -> Iterator[None]:
    """Templates of a repository stand in for those of opgen meanwhile. texts: by the path of the template."""
    token = _SHADOWS.set(_Shadows(texts, folder) if texts else None)
    try:
        yield
    finally:
        _SHADOWS.reset(token)


@cache
def names() -> frozenset[str]:
    """The paths of all templates and of the files that are the same in every project."""
    found = (Path(folder, name) for folder, _, inner in os.walk(_FOLDER) for name in inner)
    return frozenset(path.relative_to(_FOLDER).as_posix() for path in found if path.parent.name != "__pycache__")


def _options() -> dict[str, Any]:
    from jinja2 import StrictUndefined

    return {
        "undefined": StrictUndefined,
        "autoescape": False,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "keep_trailing_newline": True,
    }


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader

    return Environment(loader=PackageLoader("opgen", "templates"), bytecode_cache=_cache(), **_options())


def _cache() -> Any:
    """Compiled templates beside the templates, as Python keeps compiled modules: as long as the source is the same and
    the folder can be written."""
    from jinja2 import BytecodeCache, __version__
    from jinja2.bccache import Bucket

    folder = _FOLDER / "__pycache__"
    tag = f"{sys.implementation.cache_tag}.jinja-{__version__}"

    class Compiled(BytecodeCache):
        def _path(self, bucket: Bucket) -> Path:
            return folder / f"{bucket.key}.{tag}.pyc"

        def load_bytecode(self, bucket: Bucket) -> None:
            # Of a file that is cut short or of another make, the bucket stays empty.
            with suppress(OSError, EOFError, ValueError, TypeError), self._path(bucket).open("rb") as file:
                bucket.load_bytecode(file)

        def dump_bytecode(self, bucket: Bucket) -> None:
            if sys.dont_write_bytecode or bucket.code is None:
                return
            path = self._path(bucket)
            written = path.with_name(f"{path.name}.{os.getpid()}")
            with suppress(OSError):
                folder.mkdir(exist_ok=True)
                written.write_bytes(bucket.bytecode_to_string())
                written.replace(path)

    return Compiled()


def render(template: str, **values: Any) -> str:
    """The text of `template`, a path below templates/ ("ge/run.sh.j2"). Raises TemplateFault; Refused (OPG618) where
    the template is that of a repository."""
    from jinja2 import TemplateError, TemplateSyntaxError

    shadows = _SHADOWS.get()
    environment = shadows.environment if shadows else _environment()
    try:
        return environment.get_template(template).render(**values)
    except TemplateSyntaxError as error:
        name, line, what = error.name or template, error.lineno, str(error.message)
        raised: Exception = error
    except TemplateError as error:
        name, line = _place(error, template)
        what, raised = str(error.message), error
    except Exception as error:
        if shadows is None:
            raise
        name, line = _place(error, template)
        what, raised = f"{type(error).__name__}: {error}", error
    if shadows and name in shadows.texts:
        raise shadows.refuse(name, line, what) from raised
    raise TemplateFault(f"{name}:{line}: {what}") from raised


def _place(error: Exception, template: str) -> tuple[str, int]:
    """The innermost place in a template that the traceback knows."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        _, found, name = frame.filename.replace("\\", "/").rpartition("/opgen/templates/")
        if found:
            return name, frame.lineno or 1
        if frame.filename.startswith(_SHADOW):
            return frame.filename.removeprefix(_SHADOW), frame.lineno or 1
    return template, 1


def verbatim(template: str) -> str:
    """A file below templates/ that is the same in every project, as it is."""
    shadows = _SHADOWS.get()
    if shadows and template in shadows.texts:
        return shadows.texts[template]
    return _own(template)


@cache
def _own(template: str) -> str:
    return (files("opgen") / "templates" / template).read_text(encoding="utf-8")
