// Generated from op.yaml by opgen.
#include "tensor_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace custom_op {
namespace {
bool HasUnknownRank(const gert::Shape &shape) {
  return shape.GetDimNum() == 1U && shape.GetDim(0) == -2;
}

bool Agree(const gert::Shape &a, const gert::Shape &b) {
  if (HasUnknownRank(a) || HasUnknownRank(b)) {
    return true;
  }
  if (a.GetDimNum() != b.GetDimNum()) {
    return false;
  }
  for (size_t i = 0U; i < a.GetDimNum(); ++i) {
    if (a.GetDim(i) >= 0 && b.GetDim(i) >= 0 && a.GetDim(i) != b.GetDim(i)) {
      return false;
    }
  }
  return true;
}

// "(float16, int8)"
std::string Names(const ge::DataType *types, size_t count) {
  std::string text;
  for (size_t i = 0U; i < count; ++i) {
    text += (i == 0U ? "" : ", ") + DataTypeName(types[i]);
  }
  return "(" + text + ")";
}
}  // namespace

std::string DataTypeName(ge::DataType type) {
  switch (type) {
    case ge::DT_FLOAT:
      return "float32";
    case ge::DT_FLOAT16:
      return "float16";
    case ge::DT_BF16:
      return "bfloat16";
    case ge::DT_INT8:
      return "int8";
    case ge::DT_INT16:
      return "int16";
    case ge::DT_INT32:
      return "int32";
    case ge::DT_INT64:
      return "int64";
    case ge::DT_UINT8:
      return "uint8";
    case ge::DT_UINT16:
      return "uint16";
    case ge::DT_UINT32:
      return "uint32";
    case ge::DT_UINT64:
      return "uint64";
    case ge::DT_BOOL:
      return "bool";
    default:
      return "type " + std::to_string(static_cast<int>(type));
  }
}

std::string ShapeText(const gert::Shape &shape) {
  if (HasUnknownRank(shape)) {
    return "[...]";
  }
  std::string text;
  for (size_t i = 0U; i < shape.GetDimNum(); ++i) {
    text += (i == 0U ? "" : ", ") + std::to_string(shape.GetDim(i));
  }
  return "[" + text + "]";
}

TensorCheck::TensorCheck(const char *op_type, const char *callback) : op_type_(op_type), callback_(callback) {}

ge::graphStatus TensorCheck::Failed(const std::string &message) const {
  Say(message);
  return ge::GRAPH_FAILED;
}

bool TensorCheck::Refuse(const std::string &message) const {
  Say(message);
  return false;
}

bool TensorCheck::Given(const void *pointer, const char *what) const {
  if (pointer == nullptr) {
    Say(std::string(what) + " is missing");
  }
  return pointer != nullptr;
}

bool TensorCheck::HasType(const char *name, ge::DataType type, DataTypes allowed) const {
  std::string names;
  for (const ge::DataType one : allowed) {
    if (one == type) {
      return true;
    }
    names += (names.empty() ? "" : " or ") + DataTypeName(one);
  }
  Say(std::string(name) + " is " + DataTypeName(type) + ", expected " + names);
  return false;
}

bool TensorCheck::SameType(const char *name, ge::DataType type, const char *other, ge::DataType expected) const {
  if (type != expected) {
    Say(std::string(name) + " is " + DataTypeName(type) + ", expected " + DataTypeName(expected) + " as " + other);
  }
  return type == expected;
}

const DataTypes *TensorCheck::FindRow(const char *names, DataTypes types, std::initializer_list<DataTypes> rows) const {
  std::string expected;
  for (const DataTypes &row : rows) {
    if (std::equal(types.begin(), types.end(), row.begin())) {
      return &row;
    }
    expected += (expected.empty() ? "" : " or ") + Names(row.begin(), types.size());
  }
  Say(std::string(names) + " are " + Names(types.begin(), types.size()) + ", expected " + expected);
  return nullptr;
}

bool TensorCheck::SameShape(const char *name, const gert::Shape &shape, const char *other,
                            const gert::Shape &expected) const {
  const bool agree = Agree(shape, expected);
  if (!agree) {
    Say(std::string(name) + " has shape " + ShapeText(shape) + ", expected " + ShapeText(expected) + " as " + other);
  }
  return agree;
}

bool TensorCheck::HasElements(const char *name, const gert::Shape &shape, int64_t limit) const {
  int64_t count = 0;
  return CountElements(name, shape, limit, count);
}

bool TensorCheck::CountElements(const char *name, const gert::Shape &shape, int64_t limit, int64_t &count) const {
  const std::string subject = std::string(name) + " has shape " + ShapeText(shape);
  count = 1;
  for (size_t i = 0U; i < shape.GetDimNum(); ++i) {
    const int64_t size = shape.GetDim(i);
    if (size < 0) {
      Say(subject + ", expected sizes that are known when its kernel is compiled");
      return false;
    }
    if (size == 0) {
      Say(subject + ", expected at least one element");
      return false;
    }
    if (size > limit / count) {
      Say(subject + ", expected at most " + std::to_string(limit) + " elements");
      return false;
    }
    count *= size;
  }
  return true;
}

bool TensorCheck::AreDense(const NamedTensors &tensors) const {
  for (const NamedTensor &one : tensors) {
    if (!Given(one.tensor, one.name)) {
      return false;
    }
    const ge::Format format = one.tensor->GetStorageFormat();
    if (format != ge::FORMAT_ND) {
      return Refuse(std::string(one.name) + " has format " + std::to_string(static_cast<int>(format)) +
                    ", expected ND (" + std::to_string(static_cast<int>(ge::FORMAT_ND)) + ")");
    }
  }
  return true;
}

bool TensorCheck::HaveElements(const NamedTensors &tensors, int64_t limit) const {
  return std::all_of(tensors.begin(), tensors.end(), [this, limit](const NamedTensor &one) {
    return HasElements(one.name, one.tensor->GetStorageShape(), limit);
  });
}

bool TensorCheck::HaveAddresses(const NamedTensors &tensors) const {
  return std::all_of(tensors.begin(), tensors.end(), [this](const NamedTensor &one) {
    return Given(one.tensor->GetAddr(), (std::string("the address of ") + one.name).c_str());
  });
}

void TensorCheck::Say(const std::string &message) const {
  const std::string node = node_.empty() ? "" : " (node " + node_ + ")";
  (void)std::fprintf(stderr, "[ERROR] %s%s, %s: %s\n", op_type_.c_str(), node.c_str(), callback_.c_str(),
                     message.c_str());
}
}  // namespace custom_op
