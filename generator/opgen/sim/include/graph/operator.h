// CANN stand-in: a node of a graph, while the graph is built.
#ifndef STANDIN_GRAPH_OPERATOR_H_
#define STANDIN_GRAPH_OPERATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {
class Operator;
}  // namespace ge

namespace standin {
struct Node;  // inputs, outputs, attributes and connections of a node
std::shared_ptr<Node> NodeOf(const ge::Operator &op);
}  // namespace standin

namespace ge {
class Operator {
 public:
  // What the kinds of ATTR are in C++.
  using OpInt = int64_t;
  using OpFloat = float;
  using OpBool = bool;
  using OpString = std::string;
  using OpAscendString = AscendString;
  using OpType = DataType;
  using OpBytes = std::vector<uint8_t>;
  using OpListInt = std::vector<int64_t>;
  using OpListFloat = std::vector<float>;
  using OpListBool = std::vector<bool>;
  using OpListString = std::vector<std::string>;
  using OpListAscendString = std::vector<AscendString>;
  using OpListType = std::vector<DataType>;
  using OpListListInt = std::vector<std::vector<int64_t>>;

  Operator();
  explicit Operator(const char_t *type);
  Operator(const char_t *name, const char_t *type);
  Operator(const AscendString &name, const AscendString &type);
  virtual ~Operator() = default;

  bool IsEmpty() const;
  graphStatus GetName(AscendString &name) const;
  graphStatus GetOpType(AscendString &type) const;

  Operator &SetInput(const char_t *name, const Operator &source);
  Operator &SetInput(const char_t *name, const Operator &source, const char_t *source_output);
  Operator &SetInput(const char_t *name, const Operator &source, uint32_t source_index);
  Operator &SetInput(uint32_t index, const Operator &source, uint32_t source_index);

  TensorDesc GetInputDescByName(const char_t *name) const;
  TensorDesc GetOutputDescByName(const char_t *name) const;
  TensorDesc GetDynamicInputDesc(const char_t *name, uint32_t index) const;
  TensorDesc GetDynamicOutputDesc(const char_t *name, uint32_t index) const;
  graphStatus UpdateInputDesc(const char_t *name, const TensorDesc &desc);
  graphStatus UpdateOutputDesc(const char_t *name, const TensorDesc &desc);
  graphStatus UpdateDynamicInputDesc(const char_t *name, uint32_t index, const TensorDesc &desc);
  graphStatus UpdateDynamicOutputDesc(const char_t *name, uint32_t index, const TensorDesc &desc);

  size_t GetInputsSize() const;
  size_t GetOutputsSize() const;
  int GetDynamicInputNum(const char_t *name) const;
  int GetDynamicOutputNum(const char_t *name) const;

  Operator &SetAttr(const char_t *name, int64_t value);
  Operator &SetAttr(const char_t *name, float value);
  Operator &SetAttr(const char_t *name, bool value);
  Operator &SetAttr(const char_t *name, const std::string &value);
  Operator &SetAttr(const char_t *name, const AscendString &value);
  Operator &SetAttr(const char_t *name, const DataType &value);
  Operator &SetAttr(const char_t *name, const OpBytes &value);
  Operator &SetAttr(const char_t *name, const OpListInt &value);
  Operator &SetAttr(const char_t *name, const OpListFloat &value);
  Operator &SetAttr(const char_t *name, const OpListBool &value);
  Operator &SetAttr(const char_t *name, const OpListString &value);
  Operator &SetAttr(const char_t *name, const OpListAscendString &value);
  Operator &SetAttr(const char_t *name, const OpListType &value);
  Operator &SetAttr(const char_t *name, const OpListListInt &value);

  graphStatus GetAttr(const char_t *name, int64_t &value) const;
  graphStatus GetAttr(const char_t *name, float &value) const;
  graphStatus GetAttr(const char_t *name, bool &value) const;
  graphStatus GetAttr(const char_t *name, std::string &value) const;
  graphStatus GetAttr(const char_t *name, AscendString &value) const;
  graphStatus GetAttr(const char_t *name, DataType &value) const;
  graphStatus GetAttr(const char_t *name, OpBytes &value) const;
  graphStatus GetAttr(const char_t *name, OpListInt &value) const;
  graphStatus GetAttr(const char_t *name, OpListFloat &value) const;
  graphStatus GetAttr(const char_t *name, OpListBool &value) const;
  graphStatus GetAttr(const char_t *name, OpListString &value) const;
  graphStatus GetAttr(const char_t *name, OpListAscendString &value) const;
  graphStatus GetAttr(const char_t *name, OpListType &value) const;
  graphStatus GetAttr(const char_t *name, OpListListInt &value) const;

 protected:
  // What REG_OP's items tell, in their order. `types` is the text of a set of types, or a symbol in quotes.
  void InputRegister(const char_t *name, const char_t *types);
  void OptionalInputRegister(const char_t *name, const char_t *types);
  void OutputRegister(const char_t *name, const char_t *types);
  void DynamicInputRegister(const char_t *name, uint32_t count, const char_t *types, bool at_end = true);
  void DynamicOutputRegister(const char_t *name, uint32_t count, const char_t *types, bool at_end = true);
  void DataTypeRegister(const char_t *symbol, const char_t *types);
  void RequiredAttrRegister(const char_t *name, const char_t *kind);
  template <typename T>
  void AttrRegister(const char_t *name, const char_t *kind, const T &value) {
    RequiredAttrRegister(name, kind);
    (void)SetAttr(name, value);
    DefaultIsSet(name);
  }

 private:
  void DefaultIsSet(const char_t *name);

  friend std::shared_ptr<standin::Node> standin::NodeOf(const Operator &op);

  std::shared_ptr<standin::Node> node_;
};
}  // namespace ge

#endif  // STANDIN_GRAPH_OPERATOR_H_
