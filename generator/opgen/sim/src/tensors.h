// The tensors of a model: what describes them, and the memory behind them.
#ifndef STANDIN_SRC_TENSORS_H_
#define STANDIN_SRC_TENSORS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exe_graph/runtime/tensor.h"
#include "graph/tensor.h"
#include "node.h"

namespace standin {
bool IsKnown(const ge::TensorDesc &desc);
ge::TensorDesc Unknown();
ge::TensorDesc DescOf(const gert::Shape &shape, ge::DataType type);
// Gives a tensor the shape and type of a description; its memory stays.
void Describe(gert::Tensor &tensor, const ge::TensorDesc &desc);
// Bytes; 0 when the shape is not known or has no elements. Throws std::runtime_error when there would be too many.
size_t SizeOf(const ge::TensorDesc &desc);

// The tensors of one run, or of all runs of a graph with known shapes.
class Tensors {
 public:
  Tensors() = default;
  ~Tensors();
  Tensors(const Tensors &) = delete;
  Tensors &operator=(const Tensors &) = delete;

  // Output `index` of a node.
  gert::Tensor &At(const Node *node, size_t index);
  void Allocate(gert::Tensor &tensor, size_t size, const std::string &what);
  // Takes memory of AllocateGuarded over.
  void Adopt(void *memory, const std::string &what) { blocks_.emplace_back(memory, what); }
  // Throws std::runtime_error when something was written beside the memory.
  void CheckGuards() const;

 private:
  std::map<std::pair<const Node *, size_t>, std::unique_ptr<gert::Tensor>> tensors_;
  std::vector<std::pair<void *, std::string>> blocks_;
};
}  // namespace standin

#endif  // STANDIN_SRC_TENSORS_H_
