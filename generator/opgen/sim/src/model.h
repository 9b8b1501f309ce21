// A graph that is compiled, loaded and run.
#ifndef STANDIN_SRC_MODEL_H_
#define STANDIN_SRC_MODEL_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "call.h"
#include "custom_ops.h"
#include "exe_graph/runtime/tensor.h"
#include "node.h"
#include "runtime.h"

namespace standin {
// Every member throws std::runtime_error with a message when it fails.
class Model {
 public:
  Model(std::shared_ptr<GraphData> graph, Registry &registry);
  ~Model();
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  // Infers types and shapes, then calls Compile once for each node. The types and shapes stay in the graph.
  void Compile(const Options &options);
  // A graph of known shapes gets its memory and calls Execute, whose tasks it keeps.
  void Load(void *stream);
  // Puts one run on the stream.
  void Run(void *stream, const std::vector<gert::Tensor> &inputs, std::vector<gert::Tensor> &outputs);

  const GraphData &graph() const { return *graph_; }
  // Bytes of input or output `index`; 0 when the shape is not known.
  std::vector<size_t> InputSizes() const;
  std::vector<size_t> OutputSizes() const;

 private:
  using Key = std::pair<const Node *, size_t>;
  struct Memory;

  void Infer(Node &node, ge::BaseCustomOp &op);
  void Execute(const std::shared_ptr<Node> &node, void *stream, Memory &memory, bool fixed);
  void RunStatic(void *stream, const std::vector<gert::Tensor> &inputs, const std::vector<gert::Tensor> &outputs);
  void RunDynamic(void *stream, const std::vector<gert::Tensor> &inputs, std::vector<gert::Tensor> &outputs);
  ge::BaseCustomOp &OperatorOf(const Node &node);
  std::vector<gert::Tensor *> Sources(Node &node, Memory &memory);

  std::shared_ptr<GraphData> graph_;
  Registry &registry_;
  std::vector<std::shared_ptr<Node>> nodes_;   // sorted
  std::vector<std::shared_ptr<Node>> inputs_;  // Data nodes by their index
  bool static_ = true;
  bool loaded_ = false;
  std::shared_ptr<Memory> memory_;
  std::vector<Task> tasks_;
};
}  // namespace standin

#endif  // STANDIN_SRC_MODEL_H_
