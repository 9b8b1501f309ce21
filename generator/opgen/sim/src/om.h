// OM files: a compiled graph, what its operators saved, and the libraries that they come from.
#ifndef STANDIN_SRC_OM_H_
#define STANDIN_SRC_OM_H_

#include <memory>
#include <string>

#include "archive.h"
#include "custom_ops.h"
#include "model.h"

namespace standin {
// Compiles a graph and packs it. Throws std::runtime_error when anything fails.
//
//   "opgen stand-in OM 1"; graph; number of operator types, for each its name and what Serialize gave; number of
//   libraries, the libraries; checksum
Bytes BuildOm(const std::shared_ptr<GraphData> &graph, const Options &options);

// A model from a file, loaded. Throws std::runtime_error when anything fails.
class LoadedOm {
 public:
  explicit LoadedOm(const std::string &path);

  Model &model() { return *model_; }
  Stream &stream() { return stream_; }

 private:
  Registry own_;  // first, as it outlives the model
  std::unique_ptr<Model> model_;
  Stream stream_;
};
}  // namespace standin

#endif  // STANDIN_SRC_OM_H_
