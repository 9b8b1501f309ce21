// Nodes and graphs as the stand-in keeps them.
#ifndef STANDIN_SRC_NODE_H_
#define STANDIN_SRC_NODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/graph.h"
#include "graph/operator.h"
#include "graph/tensor.h"

namespace standin {
// monostate: no value.
using Value = std::variant<std::monostate, int64_t, float, bool, std::string, ge::DataType, std::vector<int64_t>,
                           std::vector<float>, std::vector<bool>, std::vector<std::string>, std::vector<ge::DataType>,
                           std::vector<std::vector<int64_t>>, std::vector<uint8_t>>;

struct Attribute {
  std::string name;
  std::string kind;  // "Int"
  Value value;
  Value initial;  // what REG_OP gives it
};

enum class Count { kOne, kOptional, kAny };

// One tensor of an input or output. For inputs: where it comes from; null when it is not connected.
struct Instance {
  ge::TensorDesc desc;
  bool described = false;  // whether somebody set desc, or it was inferred
  std::shared_ptr<Node> source;
  uint32_t source_index = 0U;
};

// An input or output of REG_OP.
struct Port {
  std::string name;
  std::string types;
  Count count = Count::kOne;
  std::vector<Instance> instances;
};

struct Node {
  std::string name;
  std::string type;
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  std::vector<Attribute> attributes;
  // Whether REG_OP of the type was known when the model was compiled or loaded. Without it GE knows neither the order
  // of inputs and outputs nor attributes, and infers nothing.
  bool known = true;

  Port *Find(std::vector<Port> &ports, const std::string &port_name);
  Attribute *FindAttribute(const std::string &attribute_name);
  // Position of the first instance of a port among those that the node really has.
  size_t Start(const std::vector<Port> &ports, size_t port) const;
  size_t CountOf(const std::vector<Port> &ports) const;
  // All instances in order; inputs that are not connected are left out.
  std::vector<Instance *> Instances(std::vector<Port> &ports);
};

struct GraphData {
  std::string name;
  std::vector<std::shared_ptr<Node>> inputs;
  std::vector<std::pair<std::shared_ptr<Node>, size_t>> outputs;

  // Every node that an output depends on, sources first.
  std::vector<std::shared_ptr<Node>> Sorted() const;
};

// The node behind an operator, the data behind a graph.
std::shared_ptr<Node> NodeOf(const ge::Operator &op);
std::shared_ptr<GraphData> DataOf(const ge::Graph &graph);
}  // namespace standin

#endif  // STANDIN_SRC_NODE_H_
