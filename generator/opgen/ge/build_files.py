"""CMakeLists.txt and run.sh of a GE project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from opgen.cxx.layout import WIDTH
from opgen.formula.signature import Variant
from opgen.ge.extra import extras
from opgen.ge.outline import checked, host_file
from opgen.ge.programs import Program, golden_script_path, programs
from opgen.ge.units import HEADER_ONLY, kernel_folder, project_units
from opgen.kernel.interface import KernelInterface, kernel_interface, key_text, precompiled
from opgen.spec.model import Operator, OpSpec
from opgen.spec.outline import Outline
from opgen.templating import render
from opgen.text.escape import cmake_string, shell_word

# What the operator library needs of CANN.
_LIBRARIES = {
    "eager": "ascendcl lowering register graph graph_base",
    "online": "ascendcl lowering register graph graph_base platform",
    "offline": "ascendcl lowering register gert graph graph_base platform",
}
_PROGRAM_LIBRARIES = {"model_exec": "ascendcl acl_rt"}
_GRAPH_LIBRARIES = "graph ge_runner ge_compiler ascendcl graph_base"

# How CMake tells that this CANN is new enough.
_PROBES = {
    "eager": {"variable": "shape_infer", "interface": "ShapeInferOp", "callback": "InferShape"},
    "online": {"variable": "compilable", "interface": "CompilableOp", "callback": "Compile"},
}

_PURPOSES = {
    "eager": "Compiles the kernels and builds the operator, then compiles and runs a graph with it",
    "online": "Builds the operator, then compiles and runs a graph with it",
    "offline": "Builds the operator and a model with it, runs the model",
}

_PACKAGE_PATH = 'ASCEND_CUSTOM_OPP_PATH="${OUTPUT}${ASCEND_CUSTOM_OPP_PATH:+:${ASCEND_CUSTOM_OPP_PATH}}"'

_BUILD_COMMANDS = """\
cmake -S "${PROJECT}" -B "${BUILD}"
cmake --build "${BUILD}" --parallel
cmake --install "${BUILD}"
for library in "${OUTPUT}"/op_graph/lib/*/*/libcust_opapi.so; do
  if ldd -r "${library}" 2>&1 | grep -F "(${library})" >&2; then
    die "${library} cannot be loaded: no library defines the symbols above."
  fi
done"""


def cmake_lists(spec: OpSpec) -> str:
    """The text of CMakeLists.txt."""
    sources = [host_file(spec, operator) for operator in spec.operators]
    sources += sorted(f"ge/{unit}.cpp" for unit in project_units(spec) if unit not in HEADER_ONLY)
    sources += [_cmake_path(path) for suffix in (".cpp", ".h") for path in extras(spec, suffix)]
    scripts = dict.fromkeys(kernel_interface(operator).script for operator in spec.operators)
    return render(
        "CMakeLists.txt.j2",
        project=spec.project,
        probe=_PROBES["eager" if spec.scenario == "eager" else "online"],
        offline=spec.scenario == "offline",
        sources=sources,
        own_headers=bool(extras(spec, ".h")),
        libraries=_LIBRARIES[spec.scenario],
        programs=[_program(program) for program in programs(spec)],
        headers=[f"ge/{operator.name}.h" for operator in spec.operators],
        scripts=[] if spec.scenario == "eager" else [_cmake_path(script) for script in scripts],
        includes=[_cmake_path(path) for path in extras(spec, ".cmake")],
    )


def _program(program: Program) -> dict[str, str]:
    libraries = _PROGRAM_LIBRARIES.get(program.what, _GRAPH_LIBRARIES)
    return {"target": program.target, "source": program.source, "libraries": libraries}


def _cmake_path(path: str) -> str:
    plain = all(c.isalnum() or c in "_./-+" for c in path) and path.isascii()
    return path if plain else cmake_string(path)


def run_script(spec: OpSpec, outline: Outline) -> str:
    """The text of run.sh."""
    commands = [*_commands(spec)]
    purpose = _PURPOSES[spec.scenario]
    if checked(spec):
        purpose += " and checks the result"
    elif spec.scenario == "offline":
        purpose = purpose.replace(", runs", " and runs")
    steps = [{"title": s.title, "commands": c} for s, c in zip(outline.steps, commands, strict=True)]
    return render(
        "run.sh.j2",
        purpose=f"# {purpose}.",
        offline=spec.scenario == "offline",
        soc=spec.soc,
        sourced=[shell_word(path) for path in extras(spec, ".sh")],
        steps=steps,
    )


def _commands(spec: OpSpec) -> Iterator[str]:
    """The commands of each step, in the order of the outline."""
    if spec.scenario == "eager":
        yield "\n".join(line for operator in spec.operators for line in _compile_kernels(spec, operator))
    yield _BUILD_COMMANDS
    if spec.scenario == "offline":
        yield "\n".join(
            f'"${{BUILD}}/{p.target}" "${{BUILD}}/{p.operator.name}.air"'
            for p in programs(spec)
            if p.what == "graph_build"
        )
        yield "\n".join(line for operator in spec.operators for line in _atc(operator))
    golden = [line for operator in spec.operators for line in _golden(spec, operator)]
    if golden:
        yield "\n".join(golden)
    yield "\n".join(_run(spec, p) for p in programs(spec) if p.what != "graph_build")


def _compile_kernels(spec: OpSpec, operator: Operator) -> list[str]:
    """Compiles every kernel of an operator; in a loop where only the type differs."""
    interface = kernel_interface(operator)
    script = f'"${{PYTHON}}" "${{PROJECT}}/"{shell_word(interface.script)}'
    if shell_word(interface.script) == interface.script:
        script = f'"${{PYTHON}}" "${{PROJECT}}/{interface.script}"'
    folder = f"${{OUTPUT}}/kernel/{kernel_folder(spec, operator)}"
    kernels = list(precompiled(spec, operator))
    platform = f" --platform {spec.platform}" if interface.generated else ""
    keys = [interface.key(variant, sizes) for variant, sizes in kernels]
    types = [dtype for variant, _ in kernels for _, dtype in variant.types]
    if len(interface.symbols) == 1 and keys == types and len(keys) > 1:
        sizes = " ".join(str(size) for size in kernels[0][1].values())
        return [
            f"for dtype in {' '.join(types)}; do",
            *_broken(
                [
                    f"  {script}{' ' if sizes else ''}{sizes}",
                    f'"{folder}${{dtype}}.tlk"',
                    f'--dtype "${{dtype}}"{platform}',
                ]
            ),
            "done",
        ]
    lines = []
    for (variant, chosen), key in zip(kernels, keys, strict=True):
        sizes = "".join(f" {size}" for size in chosen.values())
        words = _options(interface, variant)
        options = " ".join(words) + platform if words else platform.strip()
        lines += _broken([f"{script}{sizes}", f'"{folder}{key}.tlk"', *([options] if options else [])])
    return lines


def _options(interface: KernelInterface, variant: Variant) -> list[str]:
    """Options of the kernel script that tell a variant, as shell words."""
    words = []
    if len(variant.types) == 1:
        words = ["--dtype", variant.types[0][1]]
    elif variant.types:
        words = ["--dtype", ",".join(f"{symbol}={dtype}" for symbol, dtype in variant.types)]
    kinds = {option.name: option.type for option in interface.options}
    for name, value in variant.attrs:
        if isinstance(value, tuple):
            words.append(shell_word(f"--{name}={','.join(key_text(item) for item in value)}"))
        elif kinds[name] in ("int", "float"):
            words.append(shell_word(f"--{name}={key_text(value)}"))
        else:
            words += [f"--{name}", shell_word(key_text(value))]
    for name in variant.absent:
        words += ["--without", name]
    return words


def _broken(pieces: list[str]) -> list[str]:
    """A command on as few lines as fit; pieces stay whole."""
    lines = [pieces[0]]
    pad = " " * (len(pieces[0]) - len(pieces[0].lstrip()) + 2)
    for position, piece in enumerate(pieces[1:], start=1):
        reserve = 2 if position < len(pieces) - 1 else 0
        if len(lines[-1]) + 1 + len(piece) + reserve <= WIDTH:
            lines[-1] += f" {piece}"
        else:
            lines[-1] += " \\"
            lines.append(pad + piece)
    return lines


def _atc(operator: Operator) -> list[str]:
    om = f"${{BUILD}}/{operator.name}"
    return [
        f'rm -f "{om}.om"',
        f"{_PACKAGE_PATH} \\",
        f'  "${{ATC}}" --framework=1 --model="{om}.air" --output="{om}" \\',
        '  --soc_version="${SOC_VERSION}"',
        f'[[ -s "{om}.om" ]] || die "atc wrote no {om}.om."',
    ]


def data_folder(spec: OpSpec, operator: Operator) -> str:
    """The folder with the data of an operator's programs, below build/."""
    return "data" if len(spec.operators) == 1 else f"data/{operator.name}"


def _golden(spec: OpSpec, operator: Operator) -> list[str]:
    script = golden_script_path(operator)
    if script is None:
        return []
    return [f'"${{PYTHON}}" "${{PROJECT}}/{script}" "${{BUILD}}/{data_folder(spec, operator)}"']


def _run(spec: OpSpec, program: Program) -> str:
    data = ""
    if golden_script_path(program.operator) is not None:
        data = f' "${{BUILD}}/{data_folder(spec, program.operator)}"'
    command = f'"${{BUILD}}/{program.target}"'
    if program.what == "model_exec":
        return f'env -u ASCEND_CUSTOM_OPP_PATH {command} "${{BUILD}}/{program.operator.name}.om"{data}'
    return "\n".join(_broken([_PACKAGE_PATH, f"{command}{data}"]))


def script_name(script: str) -> str:
    return PurePosixPath(script).name
