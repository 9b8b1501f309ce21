"""What the documents say of an operator folder, in no language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.reg_op import choices
from opgen.docs.phrases import Language
from opgen.docs.subject import rest_only
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Tensor, Text
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.pypto.aclnn import Interface, interface
from opgen.pypto.outline import kernel_file
from opgen.spec.model import Operator, OpSpec
from opgen.spec.outline import Outline

LANGUAGES = (Language("zh"), Language("en"))


@dataclass(frozen=True)
class Folder:
    """spec: of one operator."""

    spec: OpSpec
    outline: Outline
    plan: PyptoPlan

    @property
    def operator(self) -> Operator:
        return self.spec.operators[0]

    @cached_property
    def aclnn(self) -> Interface:
        return interface(self.operator)

    @property
    def kernel(self) -> str:
        return kernel_file(self.operator)

    @property
    def new_outputs(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.operator.outputs if not t.inplace)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """Inputs and outputs, those in place once."""
        return self.operator.inputs + self.new_outputs

    @property
    def free(self) -> bool:
        """Whether all tensors have one shape, which may be any."""
        return all(rest_only(tensor) for tensor in self.tensors)

    def dtypes(self, tensor: Tensor) -> tuple[str, ...]:
        """The element types that a tensor can have."""
        return (tensor.dtype,) if tensor.dtype in DTYPES else choices(self.operator, tensor.dtype)

    def types(self, tensor: Tensor) -> tuple[str, ...]:
        """The same, as the operator repositories spell them."""
        return tuple(map(acl_type, self.dtypes(tensor)))

    @property
    def one_type(self) -> bool:
        """Whether all tensors have the same type in every call."""
        return len({tensor.dtype for tensor in self.tensors}) == 1

    def page(self, name: str, language: Language) -> str:
        """The file of a page in a language: "README", "docs/aclnnAdd"."""
        return f"{name}.md" if language.code == self.spec.first else f"{name}_{language.code}.md"

    def other(self, name: str, language: Language) -> str:
        """The same page in the other language."""
        return next(self.page(name, other) for other in LANGUAGES if other.code != language.code)

    @property
    def aclnn_page(self) -> str:
        return pages(self.operator)[0]

    @property
    def tiling_page(self) -> str:
        return pages(self.operator)[1]

    @property
    def compared(self) -> bool:
        """Whether anything says what the outputs should be."""
        return self.operator.formula is not None or self.operator.reference is not None


def pages(operator: Operator) -> tuple[str, str]:
    """The aclnn page and the page on tiling, without language and suffix."""
    return f"docs/{interface(operator).second}", f"docs/tiling_{operator.name}"


def acl_type(dtype: str) -> str:
    """FLOAT16, BFLOAT16, FLOAT"""
    return "BFLOAT16" if dtype == "bfloat16" else DTYPES[dtype].ge.removeprefix("DT_")


def plain(language: Language, text: Text) -> str:
    """A text of op.yaml for HTML, without its last stop and without back-ticks, which HTML shows."""
    return language.text(text).strip().rstrip(".。").replace("`", "")
