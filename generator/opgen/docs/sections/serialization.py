"""Serialization format of the offline scenario."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.docs import markdown
from opgen.docs.markdown import code
from opgen.docs.phrases import Language
from opgen.docs.subject import Material
from opgen.facts.scenarios import MAX_KERNEL_BYTES, MAX_KERNELS, MAX_KEY_LENGTH, SERIAL_MAGIC, SERIAL_VERSION


@dataclass(frozen=True)
class Serialization:
    sentence: str
    table: str
    check: str


def serialization(material: Material, language: Language) -> Serialization | None:
    """The bytes that Serialize writes; None where nothing is serialized."""
    if material.scenario.name != "offline":
        return None
    say = language.say
    header, entry = say("serialization.header"), say("serialization.entry")
    kind = "serialization.type.library" if material.library else "serialization.type"
    rows = [
        (header, "magic", code(f"0x{SERIAL_MAGIC:08X}")),
        (header, "version", str(SERIAL_VERSION)),
        (header, "count", say("serialization.count", limit=MAX_KERNELS)),
        (header, "machine", say("serialization.machine")),
        (header, "soc_len, soc", say("serialization.soc", soc=code(material.spec.soc))),
        (header, "type_len, type", say(kind, type=code(material.first.operator.type))),
        (entry, "key_len, key", say("serialization.key", limit=MAX_KEY_LENGTH)),
        (entry, "so_size", say("serialization.size", limit=MAX_KERNEL_BYTES)),
        (entry, "crc32", say("serialization.crc")),
        (entry, "so_data", say("serialization.data")),
    ]
    sentences = [say("serialization.sentence"), say("serialization.library") if material.library else ""]
    return Serialization(
        sentence=language.sentences(sentences),
        table=markdown.table([say(f"column.{name}") for name in ("part", "field", "content")], rows),
        check=say("serialization.check"),
    )
