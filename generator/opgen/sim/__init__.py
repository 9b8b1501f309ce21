"""The CANN stand-in: headers, libraries and programs in the shape of a CANN toolkit, our own text.

`build.ensure` gives a folder for ASCEND_HOME_PATH. A project that builds and runs with CANN builds and runs in it as it
is; kernels are shared libraries for the CPU that export `call`, as TileLang's kernels for a device do. It behaves as GE
behaves, also where that hurts, and says what it finds on stderr, "[stand-in]" first.

Streams. What is put on a stream runs when somebody waits for it. A graph of known shapes calls Execute once, when it
is loaded, and repeats what Execute put on the stream at each run. `call` must therefore put its work there, with
`standinLaunch` (include/standin/launch.h); a kernel that also works elsewhere declares it weak. Work that `call` does
at once happens while the graph is loaded, and never again.

Memory. Whatever lies beside a tensor is watched: guard bytes tell of writes, a page that nobody may touch ends a read
that goes on.

Files. AIR and OM files have a form of our own, see src/archive.h, src/graph_file.h and src/om.h.

Operators of repositories. A library of their host code is called by `bin/host_run` (see src/host_run/main.cc), by unit
tests through ut/include, and by aclnn functions and graphs, whose kernels the program in STANDIN_DEVICE computes (see
src/device.h). TilingData is not cleared before Tiling: what it leaves out shows.

Layout: include/, opp/ and ut/ are installed as they are; src/ becomes libcann_standin.so, to which all names of CANN's
libraries lead, libcustom_op_registry_static.a (9.2), bin/atc and bin/host_run.
"""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).resolve().parent

# What the generated CMakeLists.txt adds to the include path of a CANN toolkit, relative to ASCEND_HOME_PATH.
INCLUDE_FOLDERS = (
    "include",
    "include/graph",
    "include/ge",
    "include/register",
    "include/external",
    "opp/built-in/op_proto/inc",
)


def home() -> Path:
    """The stand-in's sources; its headers can be used from here."""
    return _ROOT


def include_folders() -> tuple[Path, ...]:
    """Those of INCLUDE_FOLDERS that the stand-in has."""
    return tuple(folder for folder in (_ROOT / name for name in INCLUDE_FOLDERS) if folder.is_dir())
