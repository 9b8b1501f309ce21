#include "model.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "graph/operator_factory.h"

namespace standin {
namespace {
constexpr char kData[] = "Data";
constexpr size_t kCompileThreads = 16U;

void Demand(ge::graphStatus status, const Node &node, const char *callback) {
  if (status != ge::GRAPH_SUCCESS) {
    throw std::runtime_error(std::string(callback) + " of node " + node.name + " (" + node.type + ") failed, error " +
                             std::to_string(status));
  }
}

std::string OutputOf(const Node &node, size_t index) {
  return "output " + std::to_string(index) + " of " + node.name;
}

// The Data nodes, by their attribute "index".
std::vector<std::shared_ptr<Node>> InputsOf(const GraphData &graph) {
  std::map<int64_t, std::shared_ptr<Node>> by_index;
  for (const std::shared_ptr<Node> &node : graph.Sorted()) {
    if (node->type == kData) {
      const Attribute *index = node->FindAttribute("index");
      const int64_t *number = index == nullptr ? nullptr : std::get_if<int64_t>(&index->value);
      if (number == nullptr || !by_index.insert({*number, node}).second || node->CountOf(node->outputs) != 1U) {
        throw std::runtime_error("graph " + graph.name + ": each Data node needs an index of its own and one output");
      }
    }
  }
  std::vector<std::shared_ptr<Node>> inputs;
  for (const auto &input : by_index) {
    inputs.push_back(input.second);
  }
  return inputs;
}

// Inputs get the descriptions of the outputs that they come from.
void DescribeInputs(Node &node) {
  for (Instance *input : node.Instances(node.inputs)) {
    if (input->source == nullptr) {
      throw std::runtime_error("an input of node " + node.name + " is not connected");
    }
    input->desc = input->source->Instances(input->source->outputs).at(input->source_index)->desc;
  }
}

// A call with tensors that have no memory: metadata only.
class DescribedCall : public Call {
 public:
  explicit DescribedCall(const std::shared_ptr<Node> &of) : Call(of) {
    for (const Instance *input : of->Instances(of->inputs)) {
      Add(&input->desc, inputs);
    }
  }

  // A null description leaves the tensor as it is when nobody knows anything of it.
  void Add(const ge::TensorDesc *desc, std::vector<gert::Tensor *> &to) {
    tensors_.push_back(std::make_unique<gert::Tensor>());
    if (desc != nullptr) {
      Describe(*tensors_.back(), *desc);
    }
    to.push_back(tensors_.back().get());
  }

 private:
  std::vector<std::unique_ptr<gert::Tensor>> tensors_;
};

void CopyOnStream(Stream &stream, void *to, const void *from, size_t size) {
  stream.Add([to, from, size] { std::memcpy(to, from, size); });
}
}  // namespace

Model::Model(std::shared_ptr<GraphData> graph, Registry &registry)
    : graph_(std::move(graph)), registry_(registry), inputs_(InputsOf(*graph_)) {
  for (const std::shared_ptr<Node> &node : graph_->Sorted()) {
    if (node->type != kData) {
      node->known = ge::OperatorFactory::IsExistOp(node->type.c_str());
      nodes_.push_back(node);
    }
  }
  if (graph_->outputs.empty()) {
    throw std::runtime_error("graph " + graph_->name + " has no outputs");
  }
}

ge::BaseCustomOp &Model::OperatorOf(const Node &node) {
  ge::BaseCustomOp *op = registry_.Get(node.type);
  if (op == nullptr) {
    throw std::runtime_error("operator type " + node.type + " of node " + node.name +
                             " is not registered: is it in a package of ASCEND_CUSTOM_OPP_PATH?");
  }
  return *op;
}

void Model::Compile(const Options &options) {
  for (const std::shared_ptr<Node> &node : nodes_) {
    DescribeInputs(*node);
    Infer(node);
  }
  std::map<ge::BaseCustomOp *, std::vector<std::shared_ptr<Node>>> by_object;
  for (const std::shared_ptr<Node> &node : nodes_) {
    by_object[&OperatorOf(*node)].push_back(node);
  }
  std::vector<std::vector<std::shared_ptr<Node>>> work(std::min(by_object.size(), kCompileThreads));
  size_t next = 0U;
  for (const auto &object : by_object) {
    std::vector<std::shared_ptr<Node>> &nodes = work[next++ % work.size()];
    nodes.insert(nodes.end(), object.second.begin(), object.second.end());
  }
  std::vector<std::exception_ptr> errors(work.size());
  std::vector<std::thread> threads;
  for (size_t i = 0U; i < work.size(); ++i) {
    threads.emplace_back([this, i, &work, &errors, &options] {
      try {
        CompileNodes(work[i], options);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  for (const std::exception_ptr &error : errors) {
    if (error != nullptr) {
      std::rethrow_exception(error);
    }
  }
}

void Model::CompileNodes(const std::vector<std::shared_ptr<Node>> &nodes, const Options &options) {
  for (const std::shared_ptr<Node> &node : nodes) {
    auto *compilable = dynamic_cast<ge::CompilableOp *>(&OperatorOf(*node));
    if (compilable != nullptr) {
      DescribedCall call(node);
      call.options = &options;
      for (const Instance *output : node->Instances(node->outputs)) {
        call.Add(&output->desc, call.outputs);
      }
      gert::OpCompileContext context(&call);
      Demand(compilable->Compile(&context), *node, "Compile");
    }
  }
}

void Model::Infer(const std::shared_ptr<Node> &node) {
  const std::vector<Instance *> outputs = node->Instances(node->outputs);
  auto *infer = dynamic_cast<ge::ShapeInferOp *>(&OperatorOf(*node));
  if (infer == nullptr || !node->known) {
    for (Instance *output : outputs) {
      if (!output->described) {
        output->desc = Unknown();
      }
    }
    return;  // what the front end set stays
  }
  DescribedCall call(node);
  call.output_types.assign(outputs.size(), ge::DT_UNDEFINED);
  for (size_t i = 0U; i < outputs.size(); ++i) {
    call.Add(nullptr, call.outputs);
  }
  gert::InferDataTypeContext types(&call);
  Demand(infer->InferDataType(&types), *node, "InferDataType");
  gert::InferShapeContext shapes(&call);
  Demand(infer->InferShape(&shapes), *node, "InferShape");
  for (size_t i = 0U; i < outputs.size(); ++i) {
    outputs[i]->desc = DescOf(call.outputs[i]->GetOriginShape(), call.output_types[i]);
    outputs[i]->described = true;
  }
}

void Model::Execute(const std::shared_ptr<Node> &node, void *stream, Tensors &tensors, bool fixed) {
  auto *executable = dynamic_cast<ge::EagerExecuteOp *>(&OperatorOf(*node));
  if (executable == nullptr) {
    throw std::runtime_error("operator type " + node->type + " has no Execute");
  }
  Call call(node);
  call.stream = stream;
  for (const Instance *input : node->Instances(node->inputs)) {
    call.inputs.push_back(&tensors.At(input->source.get(), input->source_index));
  }
  for (size_t i = 0U; i < node->CountOf(node->outputs); ++i) {
    call.outputs.push_back(&tensors.At(node.get(), i));
  }
  call.allocate = [&](size_t index, size_t size) {
    // With known shapes the memory is there, and nobody looks whether it is large enough.
    if (!fixed) {
      tensors.Allocate(*call.outputs[index], size, OutputOf(*node, index));
    }
  };
  gert::EagerOpExecutionContext context(&call);
  const ge::graphStatus status = executable->Execute(&context);
  for (void *workspace : call.workspaces) {
    tensors.Adopt(workspace, "a workspace of " + node->name);
  }
  Demand(status, *node, "Execute");
  for (size_t i = 0U; i < call.outputs.size(); ++i) {
    if (call.outputs[i]->GetAddr() == nullptr) {
      throw std::runtime_error("Execute of node " + node->name + " left " + OutputOf(*node, i) + " without memory");
    }
  }
}

void Model::Load(void *stream) {
  std::vector<std::shared_ptr<Node>> all = inputs_;
  all.insert(all.end(), nodes_.begin(), nodes_.end());
  static_ = true;
  for (const std::shared_ptr<Node> &node : all) {
    for (const Instance *output : node->Instances(node->outputs)) {
      static_ = static_ && IsKnown(output->desc);
    }
  }
  if (static_) {
    tensors_ = std::make_shared<Tensors>();
    tasks_.clear();
    for (const std::shared_ptr<Node> &node : all) {
      const std::vector<Instance *> outputs = node->Instances(node->outputs);
      for (size_t i = 0U; i < outputs.size(); ++i) {
        gert::Tensor &tensor = tensors_->At(node.get(), i);
        Describe(tensor, outputs[i]->desc);
        const size_t size = SizeOf(outputs[i]->desc);
        if (size > 0U) {
          tensors_->Allocate(tensor, size, OutputOf(*node, i));
        }
      }
    }
    const Recording recording(*StreamOf(stream), tasks_);
    for (const std::shared_ptr<Node> &node : nodes_) {
      Execute(node, stream, *tensors_, true);
    }
  }
  loaded_ = true;
}

void Model::Run(void *stream, const std::vector<gert::Tensor> &inputs, std::vector<gert::Tensor> &outputs) {
  const std::lock_guard<std::mutex> lock(running_);
  if (!loaded_) {
    throw std::runtime_error("graph " + graph_->name + " is not loaded");
  }
  if (inputs.size() != inputs_.size() || outputs.size() != graph_->outputs.size()) {
    throw std::runtime_error("graph " + graph_->name + " has " + std::to_string(inputs_.size()) + " inputs and " +
                             std::to_string(graph_->outputs.size()) + " outputs");
  }
  Stream &queue = *StreamOf(stream);
  std::shared_ptr<Tensors> tensors = tensors_;
  if (static_) {
    RunStatic(queue, inputs);
  } else {
    tensors = RunDynamic(queue, inputs);
  }
  queue.Add([tensors] { tensors->CheckGuards(); });
  CopyOutputs(queue, tensors, outputs);
}

void Model::RunStatic(Stream &stream, const std::vector<gert::Tensor> &inputs) {
  for (size_t i = 0U; i < inputs.size(); ++i) {
    gert::Tensor &inside = tensors_->At(inputs_[i].get(), 0U);
    if (inputs[i].GetAddr() == nullptr || inputs[i].GetSize() != inside.GetSize()) {
      throw std::runtime_error("input " + std::to_string(i) + " has " + std::to_string(inputs[i].GetSize()) +
                               " bytes, expected " + std::to_string(inside.GetSize()));
    }
  }
  for (size_t i = 0U; i < inputs.size(); ++i) {
    gert::Tensor &inside = tensors_->At(inputs_[i].get(), 0U);
    CopyOnStream(stream, inside.GetAddr(), inputs[i].GetAddr(), inside.GetSize());
  }
  for (const Task &task : tasks_) {
    stream.Add(task);
  }
}

std::shared_ptr<Tensors> Model::RunDynamic(Stream &stream, const std::vector<gert::Tensor> &inputs) {
  auto tensors = std::make_shared<Tensors>();
  for (size_t i = 0U; i < inputs.size(); ++i) {
    gert::Tensor &tensor = tensors->At(inputs_[i].get(), 0U);
    Instance &data = *inputs_[i]->Instances(inputs_[i]->outputs).at(0U);
    data.desc = DescOf(inputs[i].GetOriginShape(), inputs[i].GetDataType());
    Describe(tensor, data.desc);
    tensor.MutableTensorData() =
        gert::TensorData(const_cast<void *>(inputs[i].GetAddr()), nullptr, inputs[i].GetSize(), gert::kOnDeviceHbm);
  }
  for (const std::shared_ptr<Node> &node : nodes_) {
    DescribeInputs(*node);
    Infer(node);
    const std::vector<Instance *> described = node->Instances(node->outputs);
    for (size_t i = 0U; i < described.size(); ++i) {
      Describe(tensors->At(node.get(), i), described[i]->desc);
    }
    Execute(node, &stream, *tensors, false);
  }
  return tensors;
}

void Model::CopyOutputs(Stream &stream, const std::shared_ptr<Tensors> &tensors,
                        std::vector<gert::Tensor> &outputs) const {
  for (size_t i = 0U; i < outputs.size(); ++i) {
    const gert::Tensor &inside = tensors->At(graph_->outputs[i].first.get(), graph_->outputs[i].second);
    if (outputs[i].GetAddr() == nullptr || outputs[i].GetSize() < inside.GetSize()) {
      throw std::runtime_error("output " + std::to_string(i) + " has " + std::to_string(outputs[i].GetSize()) +
                               " bytes, expected " + std::to_string(inside.GetSize()));
    }
    outputs[i].GetShape() = inside.GetShape();
    stream.Add([tensors, to = outputs[i].GetAddr(), from = inside.GetAddr(), size = inside.GetSize()] {
      std::memcpy(to, from, size);
    });
  }
}

std::vector<size_t> Model::InputSizes() const {
  std::vector<size_t> sizes;
  for (const std::shared_ptr<Node> &node : inputs_) {
    sizes.push_back(SizeOf(node->Instances(node->outputs).at(0U)->desc));
  }
  return sizes;
}

std::vector<size_t> Model::OutputSizes() const {
  std::vector<size_t> sizes;
  for (const auto &output : graph_->outputs) {
    sizes.push_back(SizeOf(output.first->Instances(output.first->outputs).at(output.second)->desc));
  }
  return sizes;
}
}  // namespace standin
