#include <atomic>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <mutex>
#include <utility>

#include "acl/acl_rt.h"
#include "custom_ops.h"
#include "ge/ge_api.h"
#include "ge/ge_api_types.h"
#include "host_graph.h"
#include "model.h"

namespace standin {
namespace {
std::atomic<bool> initialized{false};
Options global_options;
thread_local std::string last_message;

Options OptionsFrom(const std::map<ge::AscendString, ge::AscendString> &options) {
  Options plain;
  for (const auto &option : options) {
    plain[option.first.GetString()] = option.second.GetString();
  }
  return plain;
}

ge::Status Failed(const std::string &message) {
  last_message = message;
  std::cerr << "[stand-in] " << message << "\n";
  return ge::FAILED;
}
}  // namespace

struct SessionData {
  Options options;
  std::mutex mutex;
  std::map<uint32_t, std::shared_ptr<GraphData>> graphs;
  std::map<uint32_t, std::shared_ptr<Model>> models;

  std::shared_ptr<Model> ModelOf(uint32_t graph_id) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = models.find(graph_id);
    return found == models.end() ? nullptr : found->second;
  }
};
}  // namespace standin

namespace ge {
Status GEInitialize(const std::map<AscendString, AscendString> &options) {
  if (!standin::LoadPackages()) {
    return standin::Failed("GEInitialize: the operator packages cannot be loaded");
  }
  standin::global_options = standin::OptionsFrom(options);
  const auto device = standin::global_options.find(OPTION_EXEC_DEVICE_ID);
  if (device != standin::global_options.end() && aclrtSetDevice(std::atoi(device->second.c_str())) != ACL_SUCCESS) {
    return standin::Failed("GEInitialize: there is no device " + device->second);
  }
  standin::initialized = true;
  return SUCCESS;
}

Status GEInitialize(const std::map<std::string, std::string> &options) {
  std::map<AscendString, AscendString> texts;
  for (const auto &option : options) {
    texts[option.first.c_str()] = option.second.c_str();
  }
  return GEInitialize(texts);
}

Status GEFinalize() {
  standin::initialized = false;
  return SUCCESS;
}

AscendString GEGetErrorMsgV2() {
  return AscendString(standin::last_message.c_str());
}

Session::Session(const std::map<AscendString, AscendString> &options)
    : data_(std::make_unique<standin::SessionData>()) {
  data_->options = standin::global_options;
  for (const auto &option : standin::OptionsFrom(options)) {
    data_->options[option.first] = option.second;
  }
}

Session::Session(const std::map<std::string, std::string> &options) : Session(std::map<AscendString, AscendString>()) {
  for (const auto &option : options) {
    data_->options[option.first] = option.second;
  }
}

Session::~Session() = default;

Status Session::AddGraph(uint32_t graph_id, const Graph &graph) {
  if (!standin::initialized) {
    return standin::Failed("AddGraph: GE is not initialized");
  }
  const std::lock_guard<std::mutex> lock(data_->mutex);
  const bool added = data_->graphs.insert({graph_id, standin::DataOf(graph)}).second;
  return added ? SUCCESS : standin::Failed("AddGraph: the graph id is taken");
}

Status Session::AddGraph(uint32_t graph_id, const Graph &graph, const std::map<AscendString, AscendString> &) {
  return AddGraph(graph_id, graph);
}

Status Session::RemoveGraph(uint32_t graph_id) {
  const std::lock_guard<std::mutex> lock(data_->mutex);
  data_->models.erase(graph_id);
  return data_->graphs.erase(graph_id) > 0U ? SUCCESS : FAILED;
}

Status Session::CompileGraph(uint32_t graph_id) {
  std::shared_ptr<standin::GraphData> graph;
  {
    const std::lock_guard<std::mutex> lock(data_->mutex);
    const auto found = data_->graphs.find(graph_id);
    if (found == data_->graphs.end()) {
      return standin::Failed("CompileGraph: there is no such graph");
    }
    graph = found->second;
  }
  try {
    auto model = std::make_shared<standin::Model>(graph, standin::Registry::Global());
    model->Compile(data_->options);
    const std::lock_guard<std::mutex> lock(data_->mutex);
    data_->models[graph_id] = std::move(model);
    return SUCCESS;
  } catch (const std::exception &error) {
    return standin::Failed(std::string("CompileGraph: ") + error.what());
  }
}

Status Session::LoadGraph(const uint32_t graph_id, const std::map<AscendString, AscendString> &, void *stream) const {
  const std::shared_ptr<standin::Model> model = data_->ModelOf(graph_id);
  if (model == nullptr || stream == nullptr) {
    return standin::Failed("LoadGraph: the graph is not compiled, or there is no stream");
  }
  try {
    model->Load(stream);
    return SUCCESS;
  } catch (const std::exception &error) {
    return standin::Failed(std::string("LoadGraph: ") + error.what());
  }
}

Status Session::ExecuteGraphWithStreamAsync(uint32_t graph_id, void *stream, const std::vector<gert::Tensor> &inputs,
                                            std::vector<gert::Tensor> &outputs) {
  const std::shared_ptr<standin::Model> model = data_->ModelOf(graph_id);
  if (model == nullptr || stream == nullptr) {
    return standin::Failed("ExecuteGraphWithStreamAsync: the graph is not compiled, or there is no stream");
  }
  try {
    model->Run(stream, inputs, outputs);
    return SUCCESS;
  } catch (const std::exception &error) {
    return standin::Failed(std::string("ExecuteGraphWithStreamAsync: ") + error.what());
  }
}

Status Session::RunGraph(uint32_t graph_id, const std::vector<Tensor> &inputs, std::vector<Tensor> &outputs) {
  std::shared_ptr<standin::GraphData> graph;
  {
    const std::lock_guard<std::mutex> lock(data_->mutex);
    const auto found = data_->graphs.find(graph_id);
    if (found == data_->graphs.end()) {
      return standin::Failed("RunGraph: there is no such graph");
    }
    graph = found->second;
  }
  if (!standin::HasHostFunctions(*graph)) {
    return standin::Failed(
        "RunGraph: the stand-in has it for operators of repositories; custom operators take CompileGraph, LoadGraph "
        "and "
        "ExecuteGraphWithStreamAsync");
  }
  try {
    outputs = standin::RunHostGraph(*graph, inputs);
    return SUCCESS;
  } catch (const std::exception &error) {
    return standin::Failed(std::string("RunGraph: ") + error.what());
  }
}

uint64_t Session::GetSessionId() const {
  return reinterpret_cast<uint64_t>(data_.get());
}
}  // namespace ge
