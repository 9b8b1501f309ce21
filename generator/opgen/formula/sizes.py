"""Integer expressions of op.yaml: shapes, slices, limits, tiling."""

from opgen.formula.problems import FormulaError, Problem
from opgen.formula.size_normal import binding, difference, least, simplify
from opgen.formula.size_reader import parse_size, parse_value
from opgen.formula.size_text import cxx, python, show
from opgen.formula.size_tree import Size, evaluate, names, substitute, type_names

__all__ = [
    "FormulaError",
    "Problem",
    "Size",
    "binding",
    "cxx",
    "difference",
    "evaluate",
    "least",
    "names",
    "parse_size",
    "parse_value",
    "python",
    "show",
    "simplify",
    "substitute",
    "type_names",
]
