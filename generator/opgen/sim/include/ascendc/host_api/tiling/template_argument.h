// CANN stand-in: the fields of a tiling key as the header of a kernel declares them, and how they are packed.
//
// ASCENDC_TPL_ARGS_DECL lists the fields with their candidates, ASCENDC_TPL_SEL the combinations that are built.
// GET_TPL_TILING_KEY packs values: of each value its index among the candidates, the first field in the lowest bits. As
// in CANN it takes too few or too many values without a word, and combinations that are not built.
#ifndef STANDIN_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
#define STANDIN_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

constexpr uint64_t INVALID_TILING_KEY = 0xFFFFFFFFFFFFFFFFU;

namespace standin {
struct KeyField {
  const char *name;
  uint32_t bits;
  std::vector<uint64_t> values;
};
using KeyFields = std::vector<KeyField>;
using KeyCombinations = std::vector<std::vector<KeyField>>;

inline uint64_t PackTilingKey(const KeyFields &fields, std::initializer_list<uint64_t> values) {
  uint64_t key = 0U;
  uint32_t offset = 0U;
  for (size_t i = 0U; i < std::min(fields.size(), values.size()); ++i) {
    const KeyField &field = fields[i];
    const uint64_t value = values.begin()[i];
    const auto found = std::find(field.values.begin(), field.values.end(), value);
    if (found == field.values.end()) {
      std::printf("[ERROR] %s has no candidate %lu\n", field.name, value);
      return INVALID_TILING_KEY;
    }
    key |= static_cast<uint64_t>(found - field.values.begin()) << offset;
    offset += field.bits;
  }
  return key;
}
}  // namespace standin

#define ASCENDC_TPL_UI_LIST
#define ASCENDC_TPL_UINT_DECL(name, bits, list, ...) \
  standin::KeyField {                                \
    #name, bits, {                                   \
      __VA_ARGS__                                    \
    }                                                \
  }
#define ASCENDC_TPL_UINT_SEL(name, list, ...) \
  standin::KeyField {                         \
    #name, 0U, {                              \
      __VA_ARGS__                             \
    }                                         \
  }
#define ASCENDC_TPL_ARGS_DECL(op, ...)              \
  static standin::KeyFields g_tilingDeclareParams { \
    __VA_ARGS__                                     \
  }
#define ASCENDC_TPL_ARGS_SEL(...) {__VA_ARGS__}
#define ASCENDC_TPL_SEL(...)                             \
  static standin::KeyCombinations g_tilingSelectParams { \
    __VA_ARGS__                                          \
  }

#define GET_TPL_TILING_KEY(...) standin::PackTilingKey(g_tilingDeclareParams, {__VA_ARGS__})

#endif  // STANDIN_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
