"""opgen explain: the page of a rule."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.spec.rule import Rule
from opgen.text.findings import CannotWork
from opgen.text.report import width

_WORDS = {"en": ("why", "wrong", "right"), "zh": ("原因", "错误示例", "正确示例")}
_WIDTH = 100


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("explain", COMMANDS["explain"])
    parser.add_argument("ids", nargs="*", metavar="ID", help="a rule, such as OPG203; without one, the list of all")
    parser.add_argument(
        "--lang", type=parser.one_of(("en", "zh", "both")), default="en", metavar="LANG",
        help="en, zh or both (default: en)",
    )  # fmt: skip
    arguments = parser.read(words)
    from opgen.spec.rules import RULES

    languages = ("en", "zh") if arguments.lang == "both" else (arguments.lang,)
    if not arguments.ids:
        for rule in RULES.values():
            console.data(f"{rule.id}  {' / '.join(getattr(rule.title, language) for language in languages)}\n")
        return 0
    chosen = [_find(word, RULES) for word in arguments.ids]
    console.data("\n".join(_page(rule, language) for rule in chosen for language in languages))
    return 0


def _find(word: str, rules: dict[str, Rule]) -> Rule:
    from opgen.text.suggest import closest

    rule = rules.get(word.upper()) or rules.get(f"OPG{word}")
    if rule is None:
        near = closest(word.upper(), rules)
        hint = f"did you mean {near}?" if near else "`opgen explain` lists all rules"
        raise CannotWork(f'there is no rule "{word}"', hint)
    return rule


def _page(rule: Rule, language: str) -> str:
    why, wrong, right = _WORDS[language]
    colon = "：" if language == "zh" else ": "
    blocks = [f"{rule.id}{colon}{getattr(rule.title, language)}\n"]
    blocks.append("\n".join([f"{why}{colon.rstrip()}", *_wrapped(getattr(rule.why, language), language)]) + "\n")
    for heading, example in ((wrong, rule.wrong), (right, rule.right)):
        if example:
            blocks.append(f"{heading}{colon.rstrip()}\n{textwrap.indent(example.rstrip(), '    ')}\n")
    return "\n".join(blocks)


# A piece of Chinese text that no line break may divide: a word in ASCII or one character, and what follows without a
# break: closing punctuation.
_PIECE = re.compile(r"(?:[\x21-\x7e]+|[^\x00-\x7f])[，。；：、？！）》”’]*|\s+")


def _wrapped(words: str, language: str) -> Iterator[str]:
    if language == "en":
        yield from (f"  {line}" for line in textwrap.wrap(words, _WIDTH, break_long_words=False))
        return
    line = ""
    for piece in _PIECE.findall(words):
        if width(line + piece.rstrip()) > _WIDTH and line.strip():
            yield f"  {line.rstrip()}"
            line = ""
        line += piece if line else piece.lstrip()
    yield f"  {line.rstrip()}"
