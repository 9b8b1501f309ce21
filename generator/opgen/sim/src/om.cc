#include "om.h"

#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "graph_file.h"
#include "standin/version.h"

namespace standin {
namespace {
constexpr char kMagic[] = "opgen stand-in OM 1";
constexpr char kData[] = "Data";

std::set<std::string> TypesOf(const GraphData &graph) {
  std::set<std::string> types;
  for (const std::shared_ptr<Node> &node : graph.Sorted()) {
    if (node->type != kData) {
      types.insert(node->type);
    }
  }
  return types;
}
}  // namespace

Bytes BuildOm(const std::shared_ptr<GraphData> &graph, const Options &options) {
  Registry &registry = Registry::Global();
  Model model(graph, registry);
  model.Compile(options);
  Writer writer;
  writer.Text(kMagic);
  WriteGraph(*graph, writer);
  std::map<std::string, Bytes> buffers;
  std::set<std::string> libraries;
  std::string not_portable;
  for (const std::string &type : TypesOf(*graph)) {
    auto *portable = dynamic_cast<ge::PortableOp *>(registry.Get(type));
    if (portable == nullptr) {
      not_portable = type;
      continue;
    }
    Bytes buffer;
    if (portable->Serialize(buffer) != ge::GRAPH_SUCCESS) {
      throw std::runtime_error("Serialize of " + type + " failed");
    }
    if (buffer.empty()) {
#if CANN_STANDIN_VERSION >= 92
      throw std::runtime_error("Serialize of " + type + " gave nothing");
#else
      continue;
#endif
    }
    buffers[type] = std::move(buffer);
    libraries.insert(LibraryOf(*portable));
  }
  if (!not_portable.empty() && !buffers.empty()) {
    throw std::runtime_error("the graph mixes portable custom operators and others: " + not_portable +
                             " is not portable");
  }
  writer.Number(buffers.size());
  for (const auto &buffer : buffers) {
    writer.Text(buffer.first);
    writer.Data(buffer.second);
  }
  writer.Number(libraries.size());
  for (const std::string &library : libraries) {
    writer.Data(ReadFile(library));
  }
  return std::move(writer).Finish();
}

LoadedOm::LoadedOm(const std::string &path) {
  const Bytes bytes = ReadFile(path);
  Reader reader(bytes);
  if (reader.Text() != kMagic) {
    throw std::runtime_error(path + " is no OM file of the stand-in");
  }
  auto graph = std::make_shared<GraphData>(ReadGraph(reader));
  std::map<std::string, Bytes> buffers;
  for (size_t left = reader.Count(); left > 0U; --left) {
    std::string type = reader.Text();
    buffers[std::move(type)] = reader.Data();
  }
  std::vector<Bytes> libraries;
  for (size_t left = reader.Count(); left > 0U; --left) {
    libraries.push_back(reader.Data());
  }
  reader.End();
  for (const Bytes &library : libraries) {
    LoadEmbeddedLibrary(library, own_);
  }
#if CANN_STANDIN_VERSION >= 92
  Registry &registry = own_;
#else
  Registry &registry = Registry::Global();
#endif
  for (const auto &buffer : buffers) {
    auto *portable = dynamic_cast<ge::PortableOp *>(registry.Get(buffer.first));
    if (portable == nullptr) {
      throw std::runtime_error("custom operator " + buffer.first + " is not found in the registry");
    }
    if (portable->Deserialize(buffer.second) != ge::GRAPH_SUCCESS) {
      throw std::runtime_error("Deserialize of " + buffer.first + " failed");
    }
  }
  for (const std::string &type : TypesOf(*graph)) {
    if (registry.Get(type) != nullptr && buffers.count(type) == 0U &&
        dynamic_cast<ge::PortableOp *>(registry.Get(type)) != nullptr) {
      throw std::runtime_error("operator " + type + " is used by the model but not deserialized");
    }
  }
  model_ = std::make_unique<Model>(std::move(graph), registry);
  model_->Load(&stream_);
}
}  // namespace standin
