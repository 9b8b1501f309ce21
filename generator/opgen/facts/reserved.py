"""Words that cannot be names in op.yaml, because generated text already gives them a meaning."""

from __future__ import annotations

_CXX_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return
short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
"""

# Type names and standard names that generated C++ uses unqualified.
_CXX_TYPES = """
half bfloat16 bfloat16_t float16_t float32_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t
uintptr_t size_t ssize_t ptrdiff_t std ge gert custom_op main
"""

# Object-like macros of compilers, the C library, Linux and CANN; function-like ones that expand where a name is called.
_MACROS = """
linux unix i386 errno stdin stdout stderr assert alloca offsetof major minor makedev setjmp va_arg va_start va_end
va_list st_atime st_mtime st_ctime sa_handler sa_sigaction si_pid si_uid si_value si_addr htons htonl ntohs ntohl
NULL EOF INFINITY NAN HUGE_VAL M_E M_PI M_LN2 TRUE FALSE BUFSIZ RAND_MAX CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SHRT_MAX
INT_MAX INT_MIN LONG_MAX LONG_MIN UINT_MAX INT8_MAX INT16_MAX INT32_MAX INT64_MAX INT32_MIN INT64_MIN UINT8_MAX
UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON PATH_MAX NAME_MAX
EINTR EAGAIN EINVAL ENOENT EPERM EIO ENOMEM EACCES EEXIST ERANGE EDOM SIGINT SIGKILL SIGTERM SIGSEGV SIGCHLD
INPUT OUTPUT ATTR GRAPH DATATYPE REG DT REGISTER OP
"""

_PYTHON_KEYWORDS = """
False None True and as assert async await break class continue def del elif else except finally for from global if
import in is lambda nonlocal not or pass raise return try while with yield match
"""

# Built-in names and modules that generated Python relies on.
_PYTHON_NAMES = """
print range len str list dict tuple isinstance getattr open enumerate zip self argparse os sys shutil tempfile tilelang
numpy np torch math
"""

_SHELL_WORDS = """
case do done elif else esac exec eval exit export fi for function if in local readonly select set shift source then time
trap unset until while test
"""

_CMAKE_WORDS = """
project install message option include set unset foreach endforeach endif elseif macro endmacro endfunction
"""

# Names that op.yaml gives a meaning: in formulas, in tiling expressions, in parameter lists.
_OWN = """
inf workspace tiling elements tiles cores device_cores block buffers ceildiv align itemsize
"""

# Names of TileLang kernels: the module alias, the indices of a worker, the stream of `call`.
_KERNEL = """
T cid vid stream tile
"""

# Device names of Windows, where no file can be called so.
_DEVICES = "con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9"


def _table(*groups: tuple[str, str]) -> dict[str, str]:
    table: dict[str, str] = {}
    for what, words in groups:
        for word in words.split():
            table.setdefault(word, what)
    return table


# Word -> what it is, for tensors, attributes, temporaries and tiling fields.
RESERVED_NAMES = _table(
    ("a keyword of C++", _CXX_KEYWORDS),
    ("a type or namespace of the generated C++", _CXX_TYPES),
    ("a macro of C++, Linux or CANN", _MACROS),
    ("a keyword of Python", _PYTHON_KEYWORDS),
    ("a name that the generated Python uses", _PYTHON_NAMES),
    ("a name with a meaning of its own in op.yaml", _OWN),
    ("a name that TileLang kernels use", _KERNEL),
)

# For attributes as well: options of the kernel script.
RESERVED_ATTRS = _table(
    ("an option of the kernel script", "dtype platform cores without help"),
    ("a function that the kernel script calls", "min max"),
)

# For dim symbols, which become C++ constants, Python variables and arguments of the kernel script.
RESERVED_DIMS = _table(
    ("a macro of C++, Linux or CANN", _MACROS),
    ("TileLang's name in every kernel script", "T"),
    ("the output file on the kernel script's command line", "OUT"),
    ("a keyword of Python", "False None True"),
)

# For type symbols: the macros only. `T` is what most operators use.
RESERVED_SYMBOLS = _table(
    ("a macro of C++, Linux or CANN", _MACROS),
    ("a keyword of Python", "False None True"),
)

# For `name` and `project`, which become files, folders, CMake targets and shell words.
RESERVED_STEMS = _table(
    ("a keyword of C++", _CXX_KEYWORDS),
    ("a macro of C++, Linux or CANN", _MACROS),
    ("a keyword of Python", _PYTHON_KEYWORDS),
    ("a word of the shell", _SHELL_WORDS),
    ("a command of CMake", _CMAKE_WORDS),
    ("a device name of Windows, which no file can have", _DEVICES),
)

# Stems of generated files that are the same in every project, and names of its folders and programs.
TAKEN_STEMS = _table(
    ("the stem of a generated file", "custom_op kernel kernel_cache kernel_compiler kernel_archive target"),
    ("the stem of a generated file", "tensor_check attributes launch node_inputs sizes"),
    ("the stem of a generated file", "acl_scope half random_values raw_values precision_check"),
    ("a generated program or folder", "session_run graph_build model_exec common ge build output"),
)

# Classes that the generated C++ and GE's own macros name without a namespace.
RESERVED_TYPES = _table(
    (
        "a class of GE",
        "Operator OperatorFactory Tensor TensorDesc TensorType ListTensorType AscendString Graph Session",
    ),
    (
        "a class of GE",
        "Format DataType Promote OpDesc NamedAttrs GNode CompilableOp PortableOp EagerExecuteOp ShapeInferOp",
    ),
    (
        "a type of GE's attributes",
        "OpInt OpFloat OpString OpBool OpType OpTensor OpBytes OpListInt OpListFloat OpListBool",
    ),
    (
        "a name in the generated C++",
        "Variant Call Inputs Outputs Sizes Attributes Kernel KernelPtr KernelCache TensorCheck Target Image DataTypes",
    ),
    ("a keyword of Python", "False None True"),
)

# Folders of a project that are built, not kept: nobody's source can live there.
BUILT_FOLDERS = ("build", "output")
