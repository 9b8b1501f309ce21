#include "graph/operator.h"

#include <type_traits>
#include <utility>

#include "graph/graph.h"
#include "node.h"

namespace standin {
namespace {
bool Counts(const Port &port, const Instance &instance) {
  return port.count == Count::kOne || port.count == Count::kAny || instance.source != nullptr;
}
}  // namespace

Port *Node::Find(std::vector<Port> &ports, const std::string &port_name) {
  for (Port &port : ports) {
    if (port.name == port_name) {
      return &port;
    }
  }
  return nullptr;
}

Attribute *Node::FindAttribute(const std::string &attribute_name) {
  for (Attribute &attribute : attributes) {
    if (attribute.name == attribute_name) {
      return &attribute;
    }
  }
  return nullptr;
}

size_t Node::Start(const std::vector<Port> &ports, size_t port) const {
  size_t start = 0U;
  for (size_t i = 0U; i < port; ++i) {
    for (const Instance &instance : ports[i].instances) {
      start += Counts(ports[i], instance) ? 1U : 0U;
    }
  }
  return start;
}

size_t Node::CountOf(const std::vector<Port> &ports) const {
  return Start(ports, ports.size());
}

std::vector<Instance *> Node::Instances(std::vector<Port> &ports) {
  std::vector<Instance *> all;
  for (Port &port : ports) {
    for (Instance &instance : port.instances) {
      if (Counts(port, instance)) {
        all.push_back(&instance);
      }
    }
  }
  return all;
}

namespace {
void Visit(const std::shared_ptr<Node> &node, std::vector<std::shared_ptr<Node>> &sorted) {
  for (const std::shared_ptr<Node> &seen : sorted) {
    if (seen == node) {
      return;
    }
  }
  for (const Port &port : node->inputs) {
    for (const Instance &instance : port.instances) {
      if (instance.source != nullptr) {
        Visit(instance.source, sorted);
      }
    }
  }
  sorted.push_back(node);
}
}  // namespace

std::vector<std::shared_ptr<Node>> GraphData::Sorted() const {
  std::vector<std::shared_ptr<Node>> sorted;
  for (const std::shared_ptr<Node> &input : inputs) {
    Visit(input, sorted);
  }
  for (const auto &output : outputs) {
    Visit(output.first, sorted);
  }
  return sorted;
}
}  // namespace standin

namespace ge {
namespace {
// An input of REG_OP, or the one with a number of a dynamic one: "xs1".
standin::Instance *FindInstance(standin::Node &node, std::vector<standin::Port> &ports, const std::string &name) {
  if (standin::Port *port = node.Find(ports, name); port != nullptr && !port->instances.empty()) {
    return &port->instances[0];
  }
  for (standin::Port &port : ports) {
    if (port.count == standin::Count::kAny && name.rfind(port.name, 0U) == 0U) {
      const std::string number = name.substr(port.name.size());
      if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos) {
        const size_t index = std::stoul(number);
        return index < port.instances.size() ? &port.instances[index] : nullptr;
      }
    }
  }
  return nullptr;
}

template <typename T>
standin::Value ToValue(const T &value) {
  return value;
}
standin::Value ToValue(const AscendString &value) {
  return std::string(value.GetString());
}
standin::Value ToValue(const std::vector<AscendString> &values) {
  std::vector<std::string> texts;
  for (const AscendString &value : values) {
    texts.emplace_back(value.GetString());
  }
  return texts;
}

template <typename T>
bool FromValue(const standin::Value &from, T &value) {
  const T *found = std::get_if<T>(&from);
  if (found != nullptr) {
    value = *found;
  }
  return found != nullptr;
}
bool FromValue(const standin::Value &from, AscendString &value) {
  std::string text;
  const bool found = FromValue(from, text);
  value = AscendString(text.c_str());
  return found;
}
bool FromValue(const standin::Value &from, std::vector<AscendString> &values) {
  std::vector<std::string> texts;
  const bool found = FromValue(from, texts);
  values.clear();
  for (const std::string &text : texts) {
    values.emplace_back(text.c_str());
  }
  return found;
}
}  // namespace

Operator::Operator() = default;
Operator::Operator(const char_t *type) : Operator(type, type) {}
Operator::Operator(const char_t *name, const char_t *type) : node_(std::make_shared<standin::Node>()) {
  node_->name = name;
  node_->type = type;
}
Operator::Operator(const AscendString &name, const AscendString &type) : Operator(name.GetString(), type.GetString()) {}

bool Operator::IsEmpty() const {
  return node_ == nullptr;
}

graphStatus Operator::GetName(AscendString &name) const {
  name = AscendString(node_ == nullptr ? "" : node_->name.c_str());
  return node_ == nullptr ? GRAPH_FAILED : GRAPH_SUCCESS;
}

graphStatus Operator::GetOpType(AscendString &type) const {
  type = AscendString(node_ == nullptr ? "" : node_->type.c_str());
  return node_ == nullptr ? GRAPH_FAILED : GRAPH_SUCCESS;
}

Operator &Operator::SetInput(const char_t *name, const Operator &source) {
  return SetInput(name, source, 0U);
}

Operator &Operator::SetInput(const char_t *name, const Operator &source, const char_t *source_output) {
  const auto node = standin::NodeOf(source);
  for (size_t i = 0U; node != nullptr && i < node->outputs.size(); ++i) {
    if (node->outputs[i].name == source_output) {
      return SetInput(name, source, static_cast<uint32_t>(node->Start(node->outputs, i)));
    }
  }
  return *this;
}

Operator &Operator::SetInput(const char_t *name, const Operator &source, uint32_t source_index) {
  standin::Instance *instance = FindInstance(*node_, node_->inputs, name);
  if (instance != nullptr) {
    instance->source = standin::NodeOf(source);
    instance->source_index = source_index;
  }
  return *this;
}

Operator &Operator::SetInput(uint32_t index, const Operator &source, uint32_t source_index) {
  const auto instances = node_->Instances(node_->inputs);
  if (index < instances.size()) {
    instances[index]->source = standin::NodeOf(source);
    instances[index]->source_index = source_index;
  }
  return *this;
}

TensorDesc Operator::GetInputDescByName(const char_t *name) const {
  const standin::Instance *instance = FindInstance(*node_, node_->inputs, name);
  return instance == nullptr ? TensorDesc() : instance->desc;
}

TensorDesc Operator::GetOutputDescByName(const char_t *name) const {
  const standin::Instance *instance = FindInstance(*node_, node_->outputs, name);
  return instance == nullptr ? TensorDesc() : instance->desc;
}

TensorDesc Operator::GetDynamicInputDesc(const char_t *name, uint32_t index) const {
  return GetInputDescByName((std::string(name) + std::to_string(index)).c_str());
}

TensorDesc Operator::GetDynamicOutputDesc(const char_t *name, uint32_t index) const {
  return GetOutputDescByName((std::string(name) + std::to_string(index)).c_str());
}

graphStatus Operator::UpdateInputDesc(const char_t *name, const TensorDesc &desc) {
  standin::Instance *instance = FindInstance(*node_, node_->inputs, name);
  if (instance == nullptr) {
    return GRAPH_FAILED;
  }
  instance->desc = desc;
  instance->described = true;
  return GRAPH_SUCCESS;
}

graphStatus Operator::UpdateOutputDesc(const char_t *name, const TensorDesc &desc) {
  standin::Instance *instance = FindInstance(*node_, node_->outputs, name);
  if (instance == nullptr) {
    return GRAPH_FAILED;
  }
  instance->desc = desc;
  instance->described = true;
  return GRAPH_SUCCESS;
}

graphStatus Operator::UpdateDynamicInputDesc(const char_t *name, uint32_t index, const TensorDesc &desc) {
  return UpdateInputDesc((std::string(name) + std::to_string(index)).c_str(), desc);
}

graphStatus Operator::UpdateDynamicOutputDesc(const char_t *name, uint32_t index, const TensorDesc &desc) {
  return UpdateOutputDesc((std::string(name) + std::to_string(index)).c_str(), desc);
}

size_t Operator::GetInputsSize() const {
  return node_ == nullptr ? 0U : node_->CountOf(node_->inputs);
}
size_t Operator::GetOutputsSize() const {
  return node_ == nullptr ? 0U : node_->CountOf(node_->outputs);
}

int Operator::GetDynamicInputNum(const char_t *name) const {
  const standin::Port *port = node_->Find(node_->inputs, name);
  return port == nullptr ? -1 : static_cast<int>(port->instances.size());
}

int Operator::GetDynamicOutputNum(const char_t *name) const {
  const standin::Port *port = node_->Find(node_->outputs, name);
  return port == nullptr ? -1 : static_cast<int>(port->instances.size());
}

#define STANDIN_DEFINE_ATTR(parameter, type)                                                          \
  Operator &Operator::SetAttr(const char_t *name, parameter value) {                                  \
    standin::Attribute *attribute = node_->FindAttribute(name);                                       \
    if (attribute == nullptr) {                                                                       \
      node_->attributes.push_back({name, "", {}, {}});                                                \
      attribute = &node_->attributes.back();                                                          \
    }                                                                                                 \
    attribute->value = ToValue(value);                                                                \
    return *this;                                                                                     \
  }                                                                                                   \
  graphStatus Operator::GetAttr(const char_t *name, type &value) const {                              \
    const standin::Attribute *attribute = node_->FindAttribute(name);                                 \
    return attribute != nullptr && FromValue(attribute->value, value) ? GRAPH_SUCCESS : GRAPH_FAILED; \
  }
STANDIN_DEFINE_ATTR(int64_t, int64_t)
STANDIN_DEFINE_ATTR(float, float)
STANDIN_DEFINE_ATTR(bool, bool)
STANDIN_DEFINE_ATTR(const std::string &, std::string)
STANDIN_DEFINE_ATTR(const AscendString &, AscendString)
STANDIN_DEFINE_ATTR(const DataType &, DataType)
STANDIN_DEFINE_ATTR(const OpBytes &, OpBytes)
STANDIN_DEFINE_ATTR(const OpListInt &, OpListInt)
STANDIN_DEFINE_ATTR(const OpListFloat &, OpListFloat)
STANDIN_DEFINE_ATTR(const OpListBool &, OpListBool)
STANDIN_DEFINE_ATTR(const OpListString &, OpListString)
STANDIN_DEFINE_ATTR(const OpListAscendString &, OpListAscendString)
STANDIN_DEFINE_ATTR(const OpListType &, OpListType)
STANDIN_DEFINE_ATTR(const OpListListInt &, OpListListInt)
#undef STANDIN_DEFINE_ATTR

void Operator::InputRegister(const char_t *name, const char_t *types) {
  node_->inputs.push_back({name, types, standin::Count::kOne, {standin::Instance()}});
}

void Operator::OptionalInputRegister(const char_t *name, const char_t *types) {
  node_->inputs.push_back({name, types, standin::Count::kOptional, {standin::Instance()}});
}

void Operator::OutputRegister(const char_t *name, const char_t *types) {
  node_->outputs.push_back({name, types, standin::Count::kOne, {standin::Instance()}});
}

void Operator::DynamicInputRegister(const char_t *name, uint32_t count, const char_t *types, bool) {
  standin::Port *port = node_->Find(node_->inputs, name);
  if (port == nullptr) {
    node_->inputs.push_back({name, types, standin::Count::kAny, {}});
    port = &node_->inputs.back();
  }
  port->instances.resize(port->instances.size() + count);
}

void Operator::DynamicOutputRegister(const char_t *name, uint32_t count, const char_t *types, bool) {
  standin::Port *port = node_->Find(node_->outputs, name);
  if (port == nullptr) {
    node_->outputs.push_back({name, types, standin::Count::kAny, {}});
    port = &node_->outputs.back();
  }
  port->instances.resize(port->instances.size() + count);
}

void Operator::DataTypeRegister(const char_t *, const char_t *) {}  // GE does not enforce types

void Operator::RequiredAttrRegister(const char_t *name, const char_t *kind) {
  node_->attributes.push_back({name, kind, {}, {}});
}

void Operator::DefaultIsSet(const char_t *name) {
  standin::Attribute *attribute = node_->FindAttribute(name);
  attribute->initial = attribute->value;
}

}  // namespace ge

std::shared_ptr<standin::Node> standin::NodeOf(const ge::Operator &op) {
  return op.node_;
}
