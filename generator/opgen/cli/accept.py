"""opgen accept: records that a translation still fits although the other language changed."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.cli.projects import one
from opgen.text.findings import CannotWork, Refused


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("accept", COMMANDS["accept"])
    parser.add_argument(
        "fields", nargs="*", metavar="FIELD", help='a text, such as "summary" or "inputs/x/doc" (default: all)'
    )
    parser.add_argument("--project", default=".", metavar="PATH", help="an op.yaml or its folder (default: here)")
    arguments = parser.read(words)
    project = one(arguments.project)
    from opgen.disk.accept import accept, stale_texts
    from opgen.project.inputs import spec_hash
    from opgen.project.translations import pairs

    try:
        spec, _ = project.spec()
        texts = pairs(spec)
        known = [pair.field for pair in texts]
        fields = [_known(word, known) for word in arguments.fields]
        stale = [text.pair.field for text in stale_texts(texts, project.folder)]
        if not stale and not arguments.fields:
            console.note(f"{project.name}: every translation agrees already")
            return 0
        accept(texts, project.folder, fields or stale, spec_hash(project.data))
    except Refused as refused:
        console.findings(project.all_placed(refused.findings), project.sources)
        return 2
    for field in fields or stale:
        console.note(f"{field}: {'accepted' if field in stale else 'agreed already'}")
    return 0


def _known(word: str, known: Sequence[str]) -> str:
    if word in known:
        return word
    from opgen.text.suggest import closest

    near = closest(word, known)
    raise CannotWork(
        f'there is no text "{word}"', f"did you mean {near}?" if near else f"the texts are {', '.join(known)}"
    )
