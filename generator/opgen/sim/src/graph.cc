#include "graph/graph.h"

#include <sys/stat.h>

#include <exception>
#include <iostream>
#include <limits>
#include <utility>

#include "graph_file.h"
#include "node.h"

std::shared_ptr<standin::GraphData> standin::DataOf(const ge::Graph &graph) {
  return graph.data_;
}

namespace ge {
graphStatus Shape::SetDim(size_t index, int64_t value) {
  if (index >= dims_.size()) {
    return GRAPH_FAILED;
  }
  dims_[index] = value;
  return GRAPH_SUCCESS;
}

int64_t Shape::GetShapeSize() const {
  int64_t size = dims_.empty() ? 0 : 1;
  for (const int64_t dim : dims_) {
    if (dim < 0) {
      return UNKNOWN_DIM;
    }
    if (__builtin_mul_overflow(size, dim, &size)) {
      return 0;
    }
  }
  return size;
}

int64_t GetSizeInBytes(int64_t element_count, DataType data_type) {
  const int size = GetSizeByDataType(data_type);
  if (element_count < 0 || size < 0) {
    return -1;
  }
  int64_t total = 0;
  if (size <= kDataTypeSizeBitOffset) {
    return __builtin_mul_overflow(element_count, static_cast<int64_t>(size), &total) ? -1 : total;
  }
  if (__builtin_mul_overflow(element_count, static_cast<int64_t>(size - kDataTypeSizeBitOffset), &total) ||
      total > std::numeric_limits<int64_t>::max() - 7) {
    return -1;
  }
  return (total + 7) / 8;
}

Graph::Graph() : data_(std::make_shared<standin::GraphData>()) {}
Graph::Graph(const char_t *name) : Graph() {
  data_->name = name;
}
Graph::Graph(const std::string &name) : Graph(name.c_str()) {}

Graph &Graph::SetInputs(const std::vector<Operator> &inputs) {
  for (const Operator &input : inputs) {
    data_->inputs.push_back(standin::NodeOf(input));
  }
  return *this;
}

Graph &Graph::SetOutputs(const std::vector<Operator> &outputs) {
  std::vector<std::pair<Operator, std::vector<size_t>>> all;
  for (const Operator &output : outputs) {
    all.emplace_back(output, std::vector<size_t>());
  }
  return SetOutputs(all);
}

Graph &Graph::SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>> &outputs) {
  for (const auto &output : outputs) {
    std::vector<size_t> indices = output.second;
    for (size_t i = 0U; output.second.empty() && i < output.first.GetOutputsSize(); ++i) {
      indices.push_back(i);
    }
    for (const size_t index : indices) {
      data_->outputs.emplace_back(standin::NodeOf(output.first), index);
    }
  }
  return *this;
}

Graph &Graph::SetTargets(const std::vector<Operator> &) {
  return *this;
}

bool Graph::IsValid() const {
  return !data_->outputs.empty();
}

graphStatus Graph::GetName(AscendString &name) const {
  name = AscendString(data_->name.c_str());
  return GRAPH_SUCCESS;
}

graphStatus Graph::SaveToFile(const char_t *file) const {
  try {
    standin::WriteSections(file, standin::kAirMagic, {{standin::SectionKind::kGraph, standin::WriteGraph(*data_)}});
    (void)chmod(file, S_IRUSR);  // as GE leaves it
    return GRAPH_SUCCESS;
  } catch (const std::exception &error) {
    std::cerr << "[stand-in] SaveToFile: " << error.what() << "\n";
    return GRAPH_FAILED;
  }
}

graphStatus Graph::SaveToFile(const std::string &file) const {
  return SaveToFile(file.c_str());
}

graphStatus Graph::LoadFromFile(const char_t *file) {
  try {
    const std::vector<standin::Section> sections = standin::ReadSections(file, standin::kAirMagic);
    if (sections.size() != 1U || sections[0].kind != standin::SectionKind::kGraph) {
      std::cerr << "[stand-in] " << file << " does not hold one graph\n";
      return GRAPH_FAILED;
    }
    *data_ = standin::ReadGraph(sections[0].bytes);
    return GRAPH_SUCCESS;
  } catch (const std::exception &error) {
    std::cerr << "[stand-in] " << file << ": " << error.what() << "\n";
    return GRAPH_FAILED;
  }
}
}  // namespace ge
