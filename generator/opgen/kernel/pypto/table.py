"""The Unified Buffer of a PyPTO kernel as a table for readers."""

from __future__ import annotations

from opgen.kernel.pypto.model import KernelModel, KernelVariant

_KIB = 1024
_WIDTH = 100  # characters of all columns at most


def memory_table(model: KernelModel, used: int, budget: int) -> list[str]:
    """Addresses, and what lies there for each choice of types."""
    groups = _groups(model)
    head = f"Unified Buffer, {-(-used // _KIB)} KiB of {budget // _KIB} KiB:"
    addresses = sorted({address for _, entries in groups for address, _, _ in entries})
    columns = []
    for title, entries in groups:
        names = {address: (name, size) for address, name, size in entries}
        wide = max(len(name) for name, _ in names.values())
        sizes = max(len(size) for _, size in names.values())
        cells = [f"{n[0]:<{wide}}  {n[1]:>{sizes}}" if n else "" for n in (names.get(a) for a in addresses)]
        width = max(len(title), wide + 2 + sizes)
        columns.append([title.ljust(width), *(cell.ljust(width) for cell in cells)])
    titled = len(groups) > 1
    if titled and sum(len(column[0]) + 4 for column in columns) > _WIDTH:
        return [head, *_widest(model)]
    lines = [head]
    if titled:
        lines.append(" " * 12 + "    ".join(column[0] for column in columns))
    for number, address in enumerate(addresses, 1):
        lines.append(f"  0x{address:05X}   " + "    ".join(column[number] for column in columns))
    return [line.rstrip() for line in lines]


def _widest(model: KernelModel) -> list[str]:
    """Where there are too many types for columns: every tile with the most that it takes."""
    most: dict[str, tuple[int, str, int, str]] = {}
    for kernel in model.variants:
        for address, name, text in _entries(model, [kernel]):
            count = kernel_bytes(text)
            if name not in most or count > most[name][2]:
                most[name] = (address, name, count, text)
    wide = max(len(name) for name in most)
    sizes = max(len(entry[3]) for entry in most.values())
    return [f"  0x{a:05X}   {name:<{wide}}  at most {text:>{sizes}}" for a, name, _, text in sorted(most.values())]


def kernel_bytes(text: str) -> int:
    """Of an entry such as "2 x 16 KiB"."""
    slots, _, size = text.rpartition(" x ")
    number, unit = size.split()
    return int(slots or 1) * int(number) * (_KIB if unit == "KiB" else 1)


def _groups(model: KernelModel) -> list[tuple[str, list[tuple[int, str, str]]]]:
    """(types, entries) of each choice of types; those with the same entries together."""
    by_types: dict[tuple[tuple[str, str], ...], list[KernelVariant]] = {}
    for kernel in model.variants:
        by_types.setdefault(kernel.variant.types, []).append(kernel)
    groups: list[tuple[list[str], list[tuple[int, str, str]]]] = []
    for types, kernels in by_types.items():
        entries = _entries(model, kernels)
        title = types[0][1] if len(types) == 1 else " ".join(f"{s}={t}" for s, t in types)
        for titles, known in groups:
            if known == entries:
                titles.append(title)
                break
        else:
            groups.append(([title], entries))
    return [(", ".join(titles), entries) for titles, entries in groups]


def _entries(model: KernelModel, kernels: list[KernelVariant]) -> list[tuple[int, str, str]]:
    largest = max(model.settings, key=lambda s: s.rows * s.columns * s.slots)
    found: dict[str, tuple[int, str, str]] = {}
    for kernel in kernels:
        for tile in kernel.layout.tiles:
            slots = max(s.slots for s in model.settings) if tile.ring else 1
            size = size_text(tile.bytes(largest.rows, largest.columns))
            name = tile.tensor or tile.name
            if tile.output and name in {t.tensor for t in kernel.layout.tiles if not t.output}:
                name = f"{name} (out)"
            found[tile.name] = (kernel.addresses[tile.name], name, f"{slots} x {size}" if slots > 1 else size)
    return sorted(found.values())


def size_text(size: int) -> str:
    return f"{size // _KIB} KiB" if size % _KIB == 0 else f"{size} B"
