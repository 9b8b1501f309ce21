// Generated from op.yaml by opgen.
#ifndef CUSTOM_OP_TENSOR_CHECK_H_
#define CUSTOM_OP_TENSOR_CHECK_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/tensor.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace custom_op {
using DataTypes = std::initializer_list<ge::DataType>;

struct NamedTensor {
  const char *name;
  const gert::Tensor *tensor;
};
using NamedTensors = std::vector<NamedTensor>;

// "float32", "bfloat16": the names that op.yaml, NumPy and TileLang use. "type 24" for one that they do not have.
std::string DataTypeName(ge::DataType type);

// "[4, 1024]", with -1 for an unknown size; "[...]" for an unknown rank.
std::string ShapeText(const gert::Shape &shape);

// Checks what GE hands to one callback of one node. A check that fails says so on stderr, with operator type, node,
// callback, and what was expected and found; it returns false.
class TensorCheck {
 public:
  // Without a context, as in Serialize, the node stays unnamed.
  TensorCheck(const char *op_type, const char *callback);

  template <typename Context>
  TensorCheck(const char *op_type, const char *callback, const Context *context) : TensorCheck(op_type, callback) {
    const char *name = context == nullptr ? nullptr : context->GetNodeName();
    node_ = name == nullptr ? "" : name;
  }

  // Says `message` and returns the status for what is no mistake of the caller.
  ge::graphStatus Failed(const std::string &message) const;

  // Says `message` and returns false.
  bool Refuse(const std::string &message) const;

  bool Given(const void *pointer, const char *what) const;
  bool HasType(const char *name, ge::DataType type, DataTypes allowed) const;
  bool SameType(const char *name, ge::DataType type, const char *other, ge::DataType expected) const;
  // The row of a table that begins with `types`, which are the types of `names`. Null when there is none.
  const DataTypes *FindRow(const char *names, DataTypes types, std::initializer_list<DataTypes> rows) const;
  // Unknown sizes and unknown ranks agree with everything.
  bool SameShape(const char *name, const gert::Shape &shape, const char *other, const gert::Shape &expected) const;
  // Every size known and not zero, and their product at most `limit`. CountElements tells the product as well.
  bool HasElements(const char *name, const gert::Shape &shape, int64_t limit) const;
  bool CountElements(const char *name, const gert::Shape &shape, int64_t limit, int64_t &count) const;
  // Of all tensors: given, and dense, which is format ND; elements as above; memory.
  bool AreDense(const NamedTensors &tensors) const;
  bool HaveElements(const NamedTensors &tensors, int64_t limit) const;
  bool HaveAddresses(const NamedTensors &tensors) const;

 private:
  void Say(const std::string &message) const;

  std::string op_type_;
  std::string callback_;
  std::string node_;
};
}  // namespace custom_op

#endif  // CUSTOM_OP_TENSOR_CHECK_H_
