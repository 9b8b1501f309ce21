// Graphs as bytes, for AIR and OM files.
#ifndef STANDIN_SRC_GRAPH_FILE_H_
#define STANDIN_SRC_GRAPH_FILE_H_

#include "archive.h"
#include "node.h"

namespace standin {
//   name; number of nodes; the nodes, sources first; inputs: number of each; outputs: number of node and index of each
//   node: name, type, inputs, outputs, attributes
//   port: name, types, count, instances: dims, type, format, source (0 for none, else number of the node + 1), index
void WriteGraph(const GraphData &graph, Writer &writer);
// Throws std::runtime_error for what WriteGraph did not write.
GraphData ReadGraph(Reader &reader);
}  // namespace standin

#endif  // STANDIN_SRC_GRAPH_FILE_H_
