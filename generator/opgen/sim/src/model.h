// A graph that is compiled, loaded and run.
#ifndef STANDIN_SRC_MODEL_H_
#define STANDIN_SRC_MODEL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "call.h"
#include "custom_ops.h"
#include "exe_graph/runtime/tensor.h"
#include "node.h"
#include "runtime.h"
#include "tensors.h"

namespace standin {
// Every member throws std::runtime_error with a message when it fails.
class Model {
 public:
  Model(std::shared_ptr<GraphData> graph, Registry &registry);

  // Infers types and shapes, then calls Compile once for each node: on several threads, but on one object one call
  // after the other. The types and shapes stay in the graph.
  void Compile(const Options &options);
  // A graph of known shapes gets its memory and calls Execute, whose tasks it keeps.
  void Load(void *stream);
  // Puts one run on the stream.
  void Run(void *stream, const std::vector<gert::Tensor> &inputs, std::vector<gert::Tensor> &outputs);

  // Whether all shapes were known when it was loaded.
  bool IsStatic() const { return static_; }
  // Bytes of each input or output; 0 when the shape is not known.
  std::vector<size_t> InputSizes() const;
  std::vector<size_t> OutputSizes() const;

 private:
  void Infer(const std::shared_ptr<Node> &node);
  void CompileNodes(const std::vector<std::shared_ptr<Node>> &nodes, const Options &options);
  void Execute(const std::shared_ptr<Node> &node, void *stream, Tensors &tensors, bool fixed);
  void RunStatic(Stream &stream, const std::vector<gert::Tensor> &inputs);
  std::shared_ptr<Tensors> RunDynamic(Stream &stream, const std::vector<gert::Tensor> &inputs);
  void CopyOutputs(Stream &stream, const std::shared_ptr<Tensors> &tensors, std::vector<gert::Tensor> &outputs) const;
  ge::BaseCustomOp &OperatorOf(const Node &node);

  std::shared_ptr<GraphData> graph_;
  Registry &registry_;
  std::vector<std::shared_ptr<Node>> nodes_;   // without Data, sorted
  std::vector<std::shared_ptr<Node>> inputs_;  // Data nodes by their index
  std::mutex running_;
  bool static_ = true;
  bool loaded_ = false;
  std::shared_ptr<Tensors> tensors_;  // of a graph with known shapes
  std::vector<Task> tasks_;
};
}  // namespace standin

#endif  // STANDIN_SRC_MODEL_H_
