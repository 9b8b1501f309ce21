// CANN stand-in: a graph.
#ifndef STANDIN_GRAPH_GRAPH_H_
#define STANDIN_GRAPH_GRAPH_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/operator.h"
#include "graph/types.h"

namespace ge {
class Graph;
}  // namespace ge

namespace standin {
struct GraphData;  // nodes and connections of a graph
std::shared_ptr<GraphData> DataOf(const ge::Graph &graph);
}  // namespace standin

namespace ge {
class Graph {
 public:
  Graph();
  explicit Graph(const char_t *name);
  ATTRIBUTED_DEPRECATED(Graph(const char_t *)) explicit Graph(const std::string &name);

  Graph &SetInputs(const std::vector<Operator> &inputs);
  // All outputs of each operator, in order.
  Graph &SetOutputs(const std::vector<Operator> &outputs);
  // The outputs of each operator that are listed by index.
  Graph &SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>> &outputs);
  Graph &SetTargets(const std::vector<Operator> &targets);

  bool IsValid() const;
  graphStatus GetName(AscendString &name) const;

  graphStatus SaveToFile(const char_t *file) const;
  ATTRIBUTED_DEPRECATED(SaveToFile(const char_t *)) graphStatus SaveToFile(const std::string &file) const;
  graphStatus LoadFromFile(const char_t *file);

 private:
  friend std::shared_ptr<standin::GraphData> standin::DataOf(const Graph &graph);

  std::shared_ptr<standin::GraphData> data_;
};
}  // namespace ge

#endif  // STANDIN_GRAPH_GRAPH_H_
