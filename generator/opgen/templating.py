"""The one Jinja2 environment: templates hold text, decisions are made in Python."""

from __future__ import annotations

import traceback
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


class TemplateFault(Exception):
    """A template cannot be rendered: "ge/custom_op.cpp.j2:12: 'key' is undefined". A fault of opgen, not of op.yaml."""


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("opgen", "templates"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(template: str, **values: Any) -> str:
    """The text of `template`, a path below templates/ ("ge/run.sh.j2"). Raises TemplateFault."""
    from jinja2 import TemplateError, TemplateSyntaxError

    try:
        return _environment().get_template(template).render(**values)
    except TemplateSyntaxError as error:
        raise TemplateFault(f"{error.name or template}:{error.lineno}: {error.message}") from error
    except TemplateError as error:
        raise TemplateFault(f"{_place(error, template)}: {error.message}") from error


def _place(error: Exception, template: str) -> str:
    """The innermost place in a template that the traceback knows."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        _, found, name = frame.filename.replace("\\", "/").rpartition("/opgen/templates/")
        if found:
            return f"{name}:{frame.lineno}"
    return template


@cache
def verbatim(template: str) -> str:
    """A file below templates/ that is the same in every project, as it is."""
    return (files("opgen") / "templates" / template).read_text(encoding="utf-8")
