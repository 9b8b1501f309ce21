"""opgen explain: the page of a rule."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.spec.rule import Rule
from opgen.text.findings import CannotWork

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
    languages = ("en", "zh") if arguments.lang == "both" else (arguments.lang,)
    rules = all_rules()
    if not arguments.ids:
        for rule in sorted(rules.values(), key=lambda rule: rule.id):
            console.data(f"{rule.id}  {' / '.join(getattr(rule.title, language) for language in languages)}\n")
        return 0
    chosen = [_find(word, rules) for word in arguments.ids]
    console.data("\n".join(_page(rule, language) for rule in chosen for language in languages))
    return 0


def all_rules() -> dict[str, Rule]:
    """Every rule that a finding may name."""
    from opgen.spec.disk_rules import DISK_RULES
    from opgen.spec.rules import RULES

    return {**RULES, **{rule.id: rule for rule in DISK_RULES}}


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


def _wrapped(words: str, language: str) -> Iterator[str]:
    if language == "en":
        yield from (f"  {line}" for line in textwrap.wrap(words, _WIDTH, break_long_words=False))
        return
    line, columns = "", 0
    for character in words.replace("\n", ""):
        wide = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        # A line may begin with a wide character only, and not with punctuation.
        if columns + wide > _WIDTH and wide == 2 and not unicodedata.category(character).startswith("P"):
            yield f"  {line.rstrip()}"
            line, columns = "", 0
        line, columns = line + character, columns + wide
    yield f"  {line}"
