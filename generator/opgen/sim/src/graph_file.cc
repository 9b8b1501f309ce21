#include "graph_file.h"

#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

namespace standin {
namespace {
using Numbers = std::map<const Node *, size_t>;

uint64_t Bits(float value) {
  uint32_t bits = 0U;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float FromBits(uint64_t bits) {
  const auto narrow = static_cast<uint32_t>(bits);
  float value = 0.0F;
  std::memcpy(&value, &narrow, sizeof(value));
  return value;
}

void Write(Writer &writer, const Value &value);

struct ValueWriter {
  Writer &writer;

  void operator()(std::monostate) const {}
  void operator()(int64_t value) const { writer.Number(static_cast<uint64_t>(value)); }
  void operator()(float value) const { writer.Number(Bits(value)); }
  void operator()(bool value) const { writer.Number(value ? 1U : 0U); }
  void operator()(const std::string &value) const { writer.Text(value); }
  void operator()(ge::DataType value) const { writer.Number(static_cast<uint64_t>(value)); }
  void operator()(const Bytes &value) const { writer.Data(value); }
  template <typename T>
  void operator()(const std::vector<T> &values) const {
    writer.Number(values.size());
    for (size_t i = 0U; i < values.size(); ++i) {
      (*this)(T(values[i]));
    }
  }
  void operator()(const std::vector<std::vector<int64_t>> &values) const {
    writer.Number(values.size());
    for (const std::vector<int64_t> &value : values) {
      (*this)(value);
    }
  }
};

void Write(Writer &writer, const Value &value) {
  writer.Number(value.index());
  std::visit(ValueWriter{writer}, value);
}

template <typename T>
T ReadOne(Reader &reader);
template <>
int64_t ReadOne<int64_t>(Reader &reader) {
  return static_cast<int64_t>(reader.Number());
}
template <>
float ReadOne<float>(Reader &reader) {
  return FromBits(reader.Number());
}
template <>
bool ReadOne<bool>(Reader &reader) {
  return reader.Number(2U) != 0U;
}
template <>
std::string ReadOne<std::string>(Reader &reader) {
  return reader.Text();
}
template <>
ge::DataType ReadOne<ge::DataType>(Reader &reader) {
  return static_cast<ge::DataType>(reader.Number(ge::DT_MAX + 1U));
}

template <typename T>
std::vector<T> ReadList(Reader &reader) {
  std::vector<T> values;
  for (size_t left = reader.Count(); left > 0U; --left) {
    values.push_back(ReadOne<T>(reader));
  }
  return values;
}

Value ReadValue(Reader &reader) {
  switch (reader.Number()) {
    case 0U:
      return {};
    case 1U:
      return ReadOne<int64_t>(reader);
    case 2U:
      return ReadOne<float>(reader);
    case 3U:
      return ReadOne<bool>(reader);
    case 4U:
      return reader.Text();
    case 5U:
      return ReadOne<ge::DataType>(reader);
    case 6U:
      return ReadList<int64_t>(reader);
    case 7U:
      return ReadList<float>(reader);
    case 8U:
      return ReadList<bool>(reader);
    case 9U:
      return ReadList<std::string>(reader);
    case 10U:
      return ReadList<ge::DataType>(reader);
    case 11U: {
      std::vector<std::vector<int64_t>> lists;
      for (size_t left = reader.Count(); left > 0U; --left) {
        lists.push_back(ReadList<int64_t>(reader));
      }
      return lists;
    }
    case 12U:
      return reader.Data();
    default:
      throw std::runtime_error("an attribute has an unknown kind of value");
  }
}

void WritePorts(Writer &writer, const std::vector<Port> &ports, const Numbers &numbers) {
  writer.Number(ports.size());
  for (const Port &port : ports) {
    writer.Text(port.name);
    writer.Text(port.types);
    writer.Number(static_cast<uint64_t>(port.count));
    writer.Number(port.instances.size());
    for (const Instance &instance : port.instances) {
      ValueWriter{writer}(instance.desc.GetShape().GetDims());
      writer.Number(static_cast<uint64_t>(instance.desc.GetDataType()));
      writer.Number(static_cast<uint64_t>(instance.desc.GetFormat()));
      writer.Number(instance.described ? 1U : 0U);
      writer.Number(instance.source == nullptr ? 0U : numbers.at(instance.source.get()) + 1U);
      writer.Number(instance.source_index);
    }
  }
}

std::vector<Port> ReadPorts(Reader &reader, const std::vector<std::shared_ptr<Node>> &nodes) {
  std::vector<Port> ports;
  for (size_t left = reader.Count(); left > 0U; --left) {
    Port port;
    port.name = reader.Text();
    port.types = reader.Text();
    port.count = static_cast<Count>(reader.Number(3U));
    for (size_t instances = reader.Count(); instances > 0U; --instances) {
      Instance instance;
      const ge::Shape shape(ReadList<int64_t>(reader));
      const auto type = ReadOne<ge::DataType>(reader);
      instance.desc = ge::TensorDesc(shape, static_cast<ge::Format>(reader.Number(ge::FORMAT_MAX + 1U)), type);
      instance.described = ReadOne<bool>(reader);
      const uint64_t source = reader.Number(nodes.size() + 1U);
      if (source > 0U) {
        instance.source = nodes[source - 1U];
      }
      instance.source_index = static_cast<uint32_t>(reader.Number());
      if (source > 0U && instance.source_index >= instance.source->CountOf(instance.source->outputs)) {
        throw std::runtime_error("an input comes from an output that is not there");
      }
      port.instances.push_back(instance);
    }
    ports.push_back(port);
  }
  return ports;
}

}  // namespace

Bytes WriteGraph(const GraphData &graph) {
  Writer writer;
  const std::vector<std::shared_ptr<Node>> nodes = graph.Sorted();
  Numbers numbers;
  writer.Text(graph.name);
  writer.Number(nodes.size());
  for (const std::shared_ptr<Node> &node : nodes) {
    writer.Text(node->name);
    writer.Text(node->type);
    WritePorts(writer, node->inputs, numbers);
    WritePorts(writer, node->outputs, numbers);
    writer.Number(node->attributes.size());
    for (const Attribute &attribute : node->attributes) {
      writer.Text(attribute.name);
      writer.Text(attribute.kind);
      Write(writer, attribute.value);
      Write(writer, attribute.initial);
    }
    numbers.insert({node.get(), numbers.size()});
  }
  writer.Number(graph.inputs.size());
  for (const std::shared_ptr<Node> &input : graph.inputs) {
    writer.Number(numbers.at(input.get()));
  }
  writer.Number(graph.outputs.size());
  for (const auto &output : graph.outputs) {
    writer.Number(numbers.at(output.first.get()));
    writer.Number(output.second);
  }
  return std::move(writer).Finish();
}

GraphData ReadGraph(const Bytes &bytes) {
  Reader reader(bytes);
  GraphData graph;
  graph.name = reader.Text();
  std::vector<std::shared_ptr<Node>> nodes;
  for (size_t left = reader.Count(); left > 0U; --left) {
    auto node = std::make_shared<Node>();
    node->name = reader.Text();
    node->type = reader.Text();
    node->inputs = ReadPorts(reader, nodes);
    node->outputs = ReadPorts(reader, {});
    for (size_t attributes = reader.Count(); attributes > 0U; --attributes) {
      Attribute attribute;
      attribute.name = reader.Text();
      attribute.kind = reader.Text();
      attribute.value = ReadValue(reader);
      attribute.initial = ReadValue(reader);
      node->attributes.push_back(attribute);
    }
    nodes.push_back(node);
  }
  for (size_t left = reader.Count(); left > 0U; --left) {
    graph.inputs.push_back(nodes[reader.Number(nodes.size())]);
  }
  for (size_t left = reader.Count(); left > 0U; --left) {
    const std::shared_ptr<Node> node = nodes[reader.Number(nodes.size())];
    graph.outputs.emplace_back(node, reader.Number(node->CountOf(node->outputs)));
  }
  reader.End();
  return graph;
}
}  // namespace standin
