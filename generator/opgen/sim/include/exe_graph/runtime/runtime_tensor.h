// CANN stand-in: another name for exe_graph/runtime/tensor.h.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_
#define STANDIN_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_

#include "exe_graph/runtime/tensor.h"

#endif  // STANDIN_EXE_GRAPH_RUNTIME_RUNTIME_TENSOR_H_
