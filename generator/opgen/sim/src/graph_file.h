// Graphs as the bytes of a section, for AIR and OM files. An AIR file has this section only.
#ifndef STANDIN_SRC_GRAPH_FILE_H_
#define STANDIN_SRC_GRAPH_FILE_H_

#include "archive.h"
#include "node.h"

namespace standin {
//   graph     name; nodes, sources first; inputs: number of the node of each; outputs: number of the node, index of
//   each node      name, type, inputs, outputs, attributes input     name, types, count (0 one, 1 optional, 2 any
//   number), instances instance  dims, type, format, whether they were set (0, 1), source (0 none, else number of the
//   node + 1), its index attribute name, kind, value, default; a value: which kind it is of (position in
//   standin::Value), what it is
Bytes WriteGraph(const GraphData &graph);
// Throws std::runtime_error for what WriteGraph did not write.
GraphData ReadGraph(const Bytes &bytes);
}  // namespace standin

#endif  // STANDIN_SRC_GRAPH_FILE_H_
