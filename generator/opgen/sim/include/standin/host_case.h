// CANN stand-in: calls the host functions of an operator for tensors that exist in words only. CANN has no such header.
#ifndef STANDIN_HOST_CASE_H_
#define STANDIN_HOST_CASE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/storage_shape.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace standin {
struct HostTensor {
  gert::StorageShape shape;
  ge::DataType type = ge::DT_UNDEFINED;
  ge::Format format = ge::FORMAT_ND;
};

// The tensors of an input or output of the definition: none for an optional input that is not connected.
using HostPort = std::vector<HostTensor>;

using HostValue = std::variant<int64_t, float, bool, std::string, std::vector<int64_t>, std::vector<float>,
                               std::vector<bool>, std::vector<std::vector<int64_t>>>;

struct HostChip {
  std::string name = "Ascend950";
  uint32_t cube_cores = 64U;
  uint32_t vector_cores = 128U;
  uint64_t unified_buffer = 253952U;  // bytes
};

// attrs: in the order of the definition, defaults filled in.
struct HostCase {
  std::string op;
  std::vector<HostPort> inputs;
  std::vector<HostPort> outputs;
  std::vector<std::pair<std::string, HostValue>> attrs;
  HostChip chip;
};

// Every function throws std::invalid_argument when the type has no such function.

struct ShapeResult {
  ge::graphStatus status;
  std::vector<gert::Shape> shapes;
};
ShapeResult RunInferShape(const HostCase &host);

struct TypeResult {
  ge::graphStatus status;
  std::vector<ge::DataType> types;
};
TypeResult RunInferDataType(const HostCase &host);

// What the function does not set has the value here.
struct TilingResult {
  ge::graphStatus status = ge::GRAPH_FAILED;
  bool has_key = false;
  uint64_t key = 0U;
  uint32_t blocks = 0U;
  std::vector<size_t> workspaces;  // bytes
  std::vector<uint8_t> data;
};
// Calls TilingParse first. The bytes of TilingData are `fill` before: what the function leaves out shows. capacity:
// bytes there are for them; 0 is what was registered.
TilingResult RunTiling(const HostCase &host, uint8_t fill = 0xA5U, size_t capacity = 0U);
}  // namespace standin

#endif  // STANDIN_HOST_CASE_H_
