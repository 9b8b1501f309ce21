#include "model.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "graph/operator_factory.h"

namespace standin {
namespace {
constexpr char kData[] = "Data";

bool IsKnown(const std::vector<int64_t> &dims) {
  return std::all_of(dims.begin(), dims.end(), [](int64_t dim) { return dim >= 0; });
}

void Resize(gert::Tensor &tensor, const ge::TensorDesc &desc) {
  tensor.MutableOriginShape() = gert::Shape();
  for (const int64_t dim : desc.GetShape().GetDims()) {
    (void)tensor.MutableOriginShape().AppendDim(dim);
  }
  tensor.MutableStorageShape() = tensor.GetOriginShape();
  tensor.SetDataType(desc.GetDataType());
}

std::vector<int64_t> DimsOf(const gert::Shape &shape) {
  std::vector<int64_t> dims;
  for (size_t i = 0U; i < shape.GetDimNum(); ++i) {
    dims.push_back(shape.GetDim(i));
  }
  return dims;
}

size_t SizeOf(const ge::TensorDesc &desc) {
  const std::vector<int64_t> dims = desc.GetShape().GetDims();
  if (!IsKnown(dims)) {
    return 0U;
  }
  int64_t count = 1;
  for (const int64_t dim : dims) {
    count *= dim;
  }
  return static_cast<size_t>(std::max<int64_t>(ge::GetSizeInBytes(count, desc.GetDataType()), 0));
}

void Demand(ge::graphStatus status, const Node &node, const char *callback) {
  if (status != ge::GRAPH_SUCCESS) {
    throw std::runtime_error(std::string(callback) + " of node " + node.name + " (" + node.type + ") failed, error " +
                             std::to_string(status));
  }
}
}  // namespace

// The tensors of one run, or of all runs of a graph with known shapes.
struct Model::Memory {
  std::map<Key, std::unique_ptr<gert::Tensor>> tensors;
  std::vector<std::pair<void *, std::string>> blocks;

  ~Memory() {
    for (const auto &block : blocks) {
      FreeGuarded(block.first);
    }
  }

  gert::Tensor &At(const Node *node, size_t index) {
    std::unique_ptr<gert::Tensor> &tensor = tensors[{node, index}];
    if (tensor == nullptr) {
      tensor = std::make_unique<gert::Tensor>();
    }
    return *tensor;
  }

  void Allocate(gert::Tensor &tensor, size_t size, const std::string &what) {
    blocks.emplace_back(AllocateGuarded(size), what);
    tensor.MutableTensorData() = gert::TensorData(blocks.back().first, nullptr, size, gert::kOnDeviceHbm);
  }

  void CheckGuards() const {
    for (const auto &block : blocks) {
      if (!GuardsAreWhole(block.first, block.second.c_str())) {
        throw std::runtime_error("the run of a model damaged memory");
      }
    }
  }
};

Model::Model(std::shared_ptr<GraphData> graph, Registry &registry)
    : graph_(std::move(graph)), registry_(registry), nodes_(graph_->Sorted()) {
  std::map<int64_t, std::shared_ptr<Node>> by_index;
  for (const std::shared_ptr<Node> &node : nodes_) {
    if (node->type == kData) {
      const Attribute *index = node->FindAttribute("index");
      const int64_t *number = index == nullptr ? nullptr : std::get_if<int64_t>(&index->value);
      if (number == nullptr || !by_index.insert({*number, node}).second) {
        throw std::runtime_error("graph " + graph_->name + ": the Data nodes need distinct indices");
      }
    }
  }
  for (const auto &input : by_index) {
    inputs_.push_back(input.second);
  }
  if (graph_->outputs.empty()) {
    throw std::runtime_error("graph " + graph_->name + " has no outputs");
  }
}

Model::~Model() = default;

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
    if (node->type != kData) {
      for (Instance *input : node->Instances(node->inputs)) {
        if (input->source == nullptr) {
          throw std::runtime_error("an input of node " + node->name + " is not connected");
        }
        input->desc = input->source->Instances(input->source->outputs).at(input->source_index)->desc;
      }
      Infer(*node, OperatorOf(*node));
    }
  }
  for (const std::shared_ptr<Node> &node : nodes_) {
    auto *compilable = node->type == kData ? nullptr : dynamic_cast<ge::CompilableOp *>(&OperatorOf(*node));
    if (compilable == nullptr) {
      continue;
    }
    // Metadata only: no address, no size.
    Call call(node);
    call.options = &options;
    std::vector<std::unique_ptr<gert::Tensor>> tensors;
    const auto add = [&tensors](const Instance *instance, std::vector<gert::Tensor *> &to) {
      tensors.push_back(std::make_unique<gert::Tensor>());
      Resize(*tensors.back(), instance->desc);
      to.push_back(tensors.back().get());
    };
    for (const Instance *instance : node->Instances(node->inputs)) {
      add(instance, call.inputs);
    }
    for (const Instance *instance : node->Instances(node->outputs)) {
      add(instance, call.outputs);
    }
    gert::OpCompileContext context(&call);
    Demand(compilable->Compile(&context), *node, "Compile");
  }
}

void Model::Infer(Node &node, ge::BaseCustomOp &op) {
  auto *infer = dynamic_cast<ge::ShapeInferOp *>(&op);
  if (infer == nullptr) {
    return;  // what the front end set stays
  }
  if (!ge::OperatorFactory::IsExistOp(node.type.c_str())) {
    throw std::runtime_error("no REG_OP of " + node.type + " is known in this process, so GE cannot infer its outputs");
  }
  const auto self = std::shared_ptr<Node>(&node, [](Node *) {});
  Call call(self);
  std::vector<std::unique_ptr<gert::Tensor>> tensors;
  for (const Instance *instance : node.Instances(node.inputs)) {
    tensors.push_back(std::make_unique<gert::Tensor>());
    Resize(*tensors.back(), instance->desc);
    call.inputs.push_back(tensors.back().get());
  }
  const std::vector<Instance *> outputs = node.Instances(node.outputs);
  call.output_types.assign(outputs.size(), ge::DT_UNDEFINED);
  for (size_t i = 0U; i < outputs.size(); ++i) {
    tensors.push_back(std::make_unique<gert::Tensor>());
    call.outputs.push_back(tensors.back().get());
  }
  gert::InferDataTypeContext types(&call);
  Demand(infer->InferDataType(&types), node, "InferDataType");
  gert::InferShapeContext shapes(&call);
  Demand(infer->InferShape(&shapes), node, "InferShape");
  for (size_t i = 0U; i < outputs.size(); ++i) {
    const ge::Shape shape(DimsOf(call.outputs[i]->GetOriginShape()));
    outputs[i]->desc = ge::TensorDesc(shape, ge::FORMAT_ND, call.output_types[i]);
  }
}

std::vector<gert::Tensor *> Model::Sources(Node &node, Memory &memory) {
  std::vector<gert::Tensor *> tensors;
  for (const Instance *input : node.Instances(node.inputs)) {
    tensors.push_back(&memory.At(input->source.get(), input->source_index));
  }
  return tensors;
}

void Model::Execute(const std::shared_ptr<Node> &node, void *stream, Memory &memory, bool fixed) {
  auto *executable = dynamic_cast<ge::EagerExecuteOp *>(&OperatorOf(*node));
  if (executable == nullptr) {
    throw std::runtime_error("operator type " + node->type + " has no Execute");
  }
  Call call(node);
  call.stream = stream;
  call.inputs = Sources(*node, memory);
  for (size_t i = 0U; i < node->CountOf(node->outputs); ++i) {
    call.outputs.push_back(&memory.At(node.get(), i));
  }
  call.allocate = [&](size_t index, size_t size) {
    // With known shapes the memory is there, and nobody looks whether it is large enough.
    if (!fixed) {
      memory.Allocate(*call.outputs[index], size, "output " + std::to_string(index) + " of " + node->name);
    }
    return true;
  };
  gert::EagerOpExecutionContext context(&call);
  const ge::graphStatus status = executable->Execute(&context);
  for (void *workspace : call.workspaces) {
    memory.blocks.emplace_back(workspace, "a workspace of " + node->name);
  }
  Demand(status, *node, "Execute");
  for (const gert::Tensor *output : call.outputs) {
    if (output->GetAddr() == nullptr) {
      throw std::runtime_error("Execute of node " + node->name + " left an output without memory");
    }
  }
}

void Model::Load(void *stream) {
  static_ = true;
  for (const std::shared_ptr<Node> &node : nodes_) {
    for (const Instance *output : node->Instances(node->outputs)) {
      static_ = static_ && IsKnown(output->desc.GetShape().GetDims());
    }
  }
  loaded_ = true;
  if (!static_) {
    return;
  }
  memory_ = std::make_shared<Memory>();
  for (const std::shared_ptr<Node> &node : nodes_) {
    const std::vector<Instance *> outputs = node->Instances(node->outputs);
    for (size_t i = 0U; i < outputs.size(); ++i) {
      gert::Tensor &tensor = memory_->At(node.get(), i);
      Resize(tensor, outputs[i]->desc);
      const size_t size = SizeOf(outputs[i]->desc);
      if (size == 0U) {
        throw std::runtime_error("output " + std::to_string(i) + " of node " + node->name + " is empty");
      }
      memory_->Allocate(tensor, size, "output " + std::to_string(i) + " of " + node->name);
    }
  }
  StreamOf(stream)->Record(&tasks_);
  try {
    for (const std::shared_ptr<Node> &node : nodes_) {
      if (node->type != kData) {
        Execute(node, stream, *memory_, true);
      }
    }
  } catch (...) {
    StreamOf(stream)->Record(nullptr);
    throw;
  }
  StreamOf(stream)->Record(nullptr);
}

void Model::Run(void *stream, const std::vector<gert::Tensor> &inputs, std::vector<gert::Tensor> &outputs) {
  if (!loaded_) {
    throw std::runtime_error("graph " + graph_->name + " is not loaded");
  }
  if (inputs.size() != inputs_.size() || outputs.size() != graph_->outputs.size()) {
    throw std::runtime_error("graph " + graph_->name + " has " + std::to_string(inputs_.size()) + " inputs and " +
                             std::to_string(graph_->outputs.size()) + " outputs");
  }
  if (static_) {
    RunStatic(stream, inputs, outputs);
  } else {
    RunDynamic(stream, inputs, outputs);
  }
}

void Model::RunStatic(void *stream, const std::vector<gert::Tensor> &inputs, const std::vector<gert::Tensor> &outputs) {
  Stream &queue = *StreamOf(stream);
  const std::shared_ptr<Memory> memory = memory_;
  for (size_t i = 0U; i < inputs.size(); ++i) {
    const gert::Tensor &inside = memory->At(inputs_[i].get(), 0U);
    if (inputs[i].GetAddr() == nullptr || inputs[i].GetSize() != inside.GetSize()) {
      throw std::runtime_error("input " + std::to_string(i) + " has " + std::to_string(inputs[i].GetSize()) +
                               " bytes, expected " + std::to_string(inside.GetSize()));
    }
    queue.Add([to = inside.GetAddr(), from = inputs[i].GetAddr(), size = inside.GetSize()] {
      std::memcpy(const_cast<void *>(to), from, size);
    });
  }
  for (const Task &task : tasks_) {
    queue.Add(task);
  }
  queue.Add([memory] { memory->CheckGuards(); });
  for (size_t i = 0U; i < outputs.size(); ++i) {
    const gert::Tensor &inside = memory->At(graph_->outputs[i].first.get(), graph_->outputs[i].second);
    if (outputs[i].GetAddr() == nullptr || outputs[i].GetSize() < inside.GetSize()) {
      throw std::runtime_error("output " + std::to_string(i) + " has " + std::to_string(outputs[i].GetSize()) +
                               " bytes, expected " + std::to_string(inside.GetSize()));
    }
    queue.Add([to = outputs[i].GetAddr(), from = inside.GetAddr(), size = inside.GetSize()] {
      std::memcpy(const_cast<void *>(to), from, size);
    });
  }
}

void Model::RunDynamic(void *stream, const std::vector<gert::Tensor> &inputs, std::vector<gert::Tensor> &outputs) {
  const auto memory = std::make_shared<Memory>();
  for (size_t i = 0U; i < inputs.size(); ++i) {
    gert::Tensor &tensor = memory->At(inputs_[i].get(), 0U);
    const ge::Shape shape(DimsOf(inputs[i].GetOriginShape()));
    const ge::TensorDesc desc(shape, ge::FORMAT_ND, inputs[i].GetDataType());
    Resize(tensor, desc);
    tensor.MutableTensorData() =
        gert::TensorData(const_cast<void *>(inputs[i].GetAddr()), nullptr, inputs[i].GetSize(), gert::kOnDeviceHbm);
    inputs_[i]->Instances(inputs_[i]->outputs).at(0U)->desc = desc;
  }
  for (const std::shared_ptr<Node> &node : nodes_) {
    if (node->type == kData) {
      continue;
    }
    for (Instance *input : node->Instances(node->inputs)) {
      input->desc = input->source->Instances(input->source->outputs).at(input->source_index)->desc;
    }
    Infer(*node, OperatorOf(*node));
    const std::vector<Instance *> described = node->Instances(node->outputs);
    for (size_t i = 0U; i < described.size(); ++i) {
      Resize(memory->At(node.get(), i), described[i]->desc);
    }
    Execute(node, stream, *memory, false);
  }
  Stream &queue = *StreamOf(stream);
  queue.Add([memory] { memory->CheckGuards(); });
  for (size_t i = 0U; i < outputs.size(); ++i) {
    const gert::Tensor &inside = memory->At(graph_->outputs[i].first.get(), graph_->outputs[i].second);
    if (outputs[i].GetAddr() == nullptr || outputs[i].GetSize() < inside.GetSize()) {
      throw std::runtime_error("output " + std::to_string(i) + " has " + std::to_string(outputs[i].GetSize()) +
                               " bytes, expected " + std::to_string(inside.GetSize()));
    }
    outputs[i].GetShape() = inside.GetShape();
    queue.Add([memory, to = outputs[i].GetAddr(), from = inside.GetAddr(), size = inside.GetSize()] {
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
