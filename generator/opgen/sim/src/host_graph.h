// Graphs of operators that have host functions and kernels of their own, as the operator repositories have them.
#ifndef STANDIN_SRC_HOST_GRAPH_H_
#define STANDIN_SRC_HOST_GRAPH_H_

#include <vector>

#include "graph/tensor.h"
#include "node.h"

namespace standin {
// Whether every operator of the graph but Data has host functions in this process.
bool HasHostFunctions(const GraphData &graph);
// Infers, plans and computes each node. Inputs are given in the order of the indices of Data. Throws std::exception.
std::vector<ge::Tensor> RunHostGraph(const GraphData &graph, const std::vector<ge::Tensor> &inputs);
}  // namespace standin

#endif  // STANDIN_SRC_HOST_GRAPH_H_
