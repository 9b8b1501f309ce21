// Generated from op.yaml by opgen.
#include "node_inputs.h"

namespace custom_op {
namespace {
bool IsFilled(const TensorCheck &check, const char *name, size_t count) {
  return count > 0U || check.Refuse(std::string(name) + " has no tensors, expected at least one");
}
}  // namespace

ge::DataType TypeOf(const gert::Tensor *tensor) {
  return tensor == nullptr ? ge::DT_UNDEFINED : tensor->GetDataType();
}

const gert::Shape *ShapeOf(const gert::Tensor *tensor) {
  return tensor == nullptr ? nullptr : &tensor->GetStorageShape();
}

const void *AddressOf(const gert::Tensor *tensor) {
  return tensor == nullptr ? nullptr : tensor->GetAddr();
}

std::vector<ge::DataType> TypesOf(const TensorList &tensors) {
  std::vector<ge::DataType> types;
  for (const gert::Tensor *tensor : tensors) {
    types.push_back(tensor->GetDataType());
  }
  return types;
}

std::vector<gert::Shape> ShapesOf(const TensorList &tensors) {
  std::vector<gert::Shape> shapes;
  for (const gert::Tensor *tensor : tensors) {
    shapes.push_back(tensor->GetStorageShape());
  }
  return shapes;
}

bool SameTypes(const TensorCheck &check, const char *name, const std::vector<ge::DataType> &types) {
  return IsFilled(check, name, types.size()) && SameTypes(check, name, types, "its first", types[0]);
}

bool HasTypes(const TensorCheck &check, const char *name, const std::vector<ge::DataType> &types, DataTypes allowed) {
  for (const ge::DataType type : types) {
    if (!check.HasType(name, type, allowed)) {
      return false;
    }
  }
  return IsFilled(check, name, types.size());
}

bool SameTypes(const TensorCheck &check, const char *name, const std::vector<ge::DataType> &types, const char *other,
               ge::DataType expected) {
  for (const ge::DataType type : types) {
    if (!check.SameType(name, type, other, expected)) {
      return false;
    }
  }
  return IsFilled(check, name, types.size());
}
}  // namespace custom_op
