// Generated from op.yaml by opgen.
#ifndef CUSTOM_OP_NODE_INPUTS_H_
#define CUSTOM_OP_NODE_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/tensor.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"
#include "tensor_check.h"

// Inputs that need not be there, and lists of inputs or outputs. They are asked for by their position in REG_OP,
// because positions in a node shift when an input is absent.
namespace custom_op {
using TensorList = std::vector<const gert::Tensor *>;

// The type, the shape and the address of an optional input; DT_UNDEFINED and null when it is absent.
ge::DataType TypeOf(const gert::Tensor *tensor);
const gert::Shape *ShapeOf(const gert::Tensor *tensor);
const void *AddressOf(const gert::Tensor *tensor);

// Of a list, whose tensors must be there.
std::vector<ge::DataType> TypesOf(const TensorList &tensors);
std::vector<gert::Shape> ShapesOf(const TensorList &tensors);

// At least one type, all the same, as one of `allowed`, or as `expected`.
bool SameTypes(const TensorCheck &check, const char *name, const std::vector<ge::DataType> &types);
bool HasTypes(const TensorCheck &check, const char *name, const std::vector<ge::DataType> &types, DataTypes allowed);
bool SameTypes(const TensorCheck &check, const char *name, const std::vector<ge::DataType> &types, const char *other,
               ge::DataType expected);

template <typename Context>
size_t CountInputs(const Context &context, size_t position) {
  const auto *list = context.GetIrInputInstanceInfo(position);
  return list == nullptr ? 0U : list->GetInstanceNum();
}

template <typename Context>
TensorList InputTensors(const Context &context, size_t position) {
  TensorList tensors;
  for (size_t i = 0U; i < CountInputs(context, position); ++i) {
    tensors.push_back(context.GetDynamicInputTensor(position, i));
  }
  return tensors;
}

template <typename Context>
std::vector<ge::DataType> InputTypes(const Context &context, size_t position) {
  std::vector<ge::DataType> types;
  for (size_t i = 0U; i < CountInputs(context, position); ++i) {
    types.push_back(context.GetDynamicInputDataType(position, i));
  }
  return types;
}

template <typename Context>
bool InputShapes(const TensorCheck &check, const Context &context, size_t position, const char *name,
                 std::vector<gert::Shape> &shapes) {
  for (size_t i = 0U; i < CountInputs(context, position); ++i) {
    const gert::Shape *shape = context.GetDynamicInputShape(position, i);
    if (!check.Given(shape, name)) {
      return false;
    }
    shapes.push_back(*shape);
  }
  return true;
}

// Where an input or an output stands in a node, and how many outputs a list has.
template <typename Context>
size_t InputIndex(const Context &context, size_t position) {
  const auto *input = context.GetIrInputInstanceInfo(position);
  return input == nullptr ? position : input->GetInstanceStart();
}

template <typename Context>
size_t OutputIndex(const Context &context, size_t position) {
  const auto *output = context.GetIrOutputInstanceInfo(position);
  return output == nullptr ? position : output->GetInstanceStart();
}

template <typename Context>
size_t CountOutputs(const Context &context, size_t position) {
  const auto *list = context.GetIrOutputInstanceInfo(position);
  return list == nullptr ? 0U : list->GetInstanceNum();
}

// Gives all outputs of a list one type, or one shape.
template <typename Context>
bool SetOutputTypes(const TensorCheck &check, Context &context, size_t position, const char *name, ge::DataType type) {
  for (size_t i = 0U; i < CountOutputs(context, position); ++i) {
    if (context.SetOutputDataType(OutputIndex(context, position) + i, type) != ge::GRAPH_SUCCESS) {
      return check.Refuse(std::string("GE does not take the type of ") + name);
    }
  }
  return true;
}

template <typename Context>
bool SetOutputShapes(const TensorCheck &check, Context &context, size_t position, const char *name,
                     const gert::Shape &shape) {
  for (size_t i = 0U; i < CountOutputs(context, position); ++i) {
    gert::Shape *output = context.GetOutputShape(OutputIndex(context, position) + i);
    if (!check.Given(output, name)) {
      return false;
    }
    *output = shape;
  }
  return true;
}
}  // namespace custom_op

#endif  // CUSTOM_OP_NODE_INPUTS_H_
