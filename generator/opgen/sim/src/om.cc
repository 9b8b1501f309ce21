#include "om.h"

#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "graph_file.h"
#include "standin/version.h"

namespace standin {
namespace {
constexpr char kData[] = "Data";

using Buffers = std::map<std::string, Bytes>;  // what Serialize gave, by operator type

std::set<std::string> TypesOf(const GraphData &graph) {
  std::set<std::string> types;
  for (const std::shared_ptr<Node> &node : graph.Sorted()) {
    if (node->type != kData) {
      types.insert(node->type);
    }
  }
  return types;
}

// The portable operators of the graph, by type. Either all operators are portable or none is.
std::map<std::string, ge::PortableOp *> PortableOf(const GraphData &graph, Registry &registry) {
  std::map<std::string, ge::PortableOp *> portable;
  std::string other;
  for (const std::string &type : TypesOf(graph)) {
    auto *op = dynamic_cast<ge::PortableOp *>(registry.Get(type));
    if (op == nullptr) {
      other = type;
    } else {
      portable[type] = op;
    }
  }
  if (!portable.empty() && !other.empty()) {
    throw std::runtime_error("the graph mixes portable custom operators (" + portable.begin()->first +
                             ") and others (" + other + ")");
  }
  return portable;
}

// False when the operator has nothing to save, which CANN 9.1 passes over.
bool Serialize(const std::string &type, ge::PortableOp &op, Bytes &buffer) {
  if (op.Serialize(buffer) != ge::GRAPH_SUCCESS) {
    throw std::runtime_error("Serialize of " + type + " failed");
  }
  if (!buffer.empty()) {
    return true;
  }
#if CANN_STANDIN_VERSION >= 92
  throw std::runtime_error("Serialize of " + type + " gave nothing");
#else
  std::cerr << "[stand-in] Serialize of " << type << " gave nothing: the model will not have it\n";
  return false;
#endif
}

Registry &RegistryOf(Registry &own) {
#if CANN_STANDIN_VERSION >= 92
  return own;
#else
  (void)own;
  return Registry::Global();
#endif
}

// What the sections hold, in the order in which BuildOm writes them.
struct Contents {
  std::shared_ptr<GraphData> graph;
  Buffers buffers;
  std::vector<Bytes> libraries;
};

Contents Unpack(std::vector<Section> sections) {
  Contents contents;
  if (sections.empty() || sections[0].kind != SectionKind::kGraph) {
    throw std::runtime_error("the model has no graph");
  }
  contents.graph = std::make_shared<GraphData>(ReadGraph(sections[0].bytes));
  for (size_t i = 1U; i < sections.size(); ++i) {
    if (sections[i].kind == SectionKind::kLibrary) {
      contents.libraries.push_back(std::move(sections[i].bytes));
      continue;
    }
    if (sections[i].kind != SectionKind::kOperator || !contents.libraries.empty()) {
      throw std::runtime_error("section " + std::to_string(i) + " of the model is not of the kind that belongs there");
    }
    Reader reader(sections[i].bytes);
    std::string type = reader.Text();
    Bytes buffer = reader.Data();
    reader.End();
    if (!contents.buffers.insert({std::move(type), std::move(buffer)}).second) {
      throw std::runtime_error("the model has an operator type twice");
    }
  }
  return contents;
}

void DeserializeAll(const Contents &contents, Registry &registry) {
  for (const auto &buffer : contents.buffers) {
    auto *portable = dynamic_cast<ge::PortableOp *>(registry.Get(buffer.first));
    if (portable == nullptr) {
      throw std::runtime_error("custom operator " + buffer.first + " is not found in the registry");
    }
    if (portable->Deserialize(buffer.second) != ge::GRAPH_SUCCESS) {
      throw std::runtime_error("Deserialize of " + buffer.first + " failed");
    }
  }
  for (const std::string &type : TypesOf(*contents.graph)) {
    ge::BaseCustomOp *op = registry.Get(type);
    if (op == nullptr) {
      throw std::runtime_error("custom operator " + type + " is not found in the registry");
    }
    if (contents.buffers.count(type) == 0U && dynamic_cast<ge::PortableOp *>(op) != nullptr) {
      throw std::runtime_error("operator " + type + " is used by the model but not deserialized");
    }
  }
}
}  // namespace

std::vector<Section> BuildOm(const std::shared_ptr<GraphData> &graph, const Options &options) {
  Registry &registry = Registry::Global();
  Model(graph, registry).Compile(options);
  std::vector<Section> sections = {{SectionKind::kGraph, WriteGraph(*graph)}};
  std::set<std::string> libraries;
  for (const auto &portable : PortableOf(*graph, registry)) {
    Bytes buffer;
    if (Serialize(portable.first, *portable.second, buffer)) {
      Writer writer;
      writer.Text(portable.first);
      writer.Data(buffer);
      sections.push_back({SectionKind::kOperator, std::move(writer).Finish()});
      libraries.insert(LibraryOf(*portable.second));
    }
  }
  for (const std::string &library : libraries) {
    sections.push_back({SectionKind::kLibrary, ReadFile(library)});
  }
  return sections;
}

LoadedOm::LoadedOm(const std::string &path) {
  const Contents contents = Unpack(ReadSections(path, kOmMagic));
  for (const Bytes &library : contents.libraries) {
    LoadEmbeddedLibrary(library, own_);
  }
  Registry &registry = RegistryOf(own_);
  DeserializeAll(contents, registry);
  model_ = std::make_unique<Model>(contents.graph, registry);
  model_->Load(&stream_);
}

void LoadedOm::Execute(const std::vector<gert::Tensor> &inputs, std::vector<gert::Tensor> &outputs) {
  if (!model_->IsStatic()) {
    throw std::runtime_error("the shapes of the model are not known, so buffers alone do not tell what to do");
  }
  const std::lock_guard<std::mutex> lock(executing_);
  model_->Run(&stream_, inputs, outputs);
  stream_.Run();
}
}  // namespace standin
