// OM files: a compiled graph, what its operators saved, and the libraries that they come from.
#ifndef STANDIN_SRC_OM_H_
#define STANDIN_SRC_OM_H_

#include <memory>
#include <mutex>
#include <string>

#include "archive.h"
#include "custom_ops.h"
#include "model.h"
#include "runtime.h"

namespace standin {
// Compiles a graph and packs it: a section with the graph, one for each type of portable operators (its name, what
// Serialize gave), one for each library. Throws std::runtime_error when anything fails.
std::vector<Section> BuildOm(const std::shared_ptr<GraphData> &graph, const Options &options);

// A model from a file, loaded. Throws std::runtime_error when anything fails.
class LoadedOm {
 public:
  explicit LoadedOm(const std::string &path);

  const Model &model() const { return *model_; }
  // Returns when the run is over. One run at a time.
  void Execute(const std::vector<gert::Tensor> &inputs, std::vector<gert::Tensor> &outputs);

 private:
  Registry own_;  // first, as it outlives the model
  Stream stream_;
  std::unique_ptr<Model> model_;
  std::mutex executing_;
};
}  // namespace standin

#endif  // STANDIN_SRC_OM_H_
