// CANN stand-in: the bytes that tiling hands to the kernel.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_TILING_DATA_H_
#define STANDIN_EXE_GRAPH_RUNTIME_TILING_DATA_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gert {
class TilingData {
 public:
  // `capacity` bytes that all have the value `fill`.
  TilingData(size_t capacity, uint8_t fill)
      : words_((capacity + 7U) / 8U, fill * 0x0101010101010101U), capacity_(capacity) {}

  size_t GetCapacity() const { return capacity_; }
  size_t GetDataSize() const { return size_; }
  void SetDataSize(const size_t size) { size_ = size; }
  void *GetData() { return words_.data(); }
  const void *GetData() const { return words_.data(); }

 private:
  std::vector<uint64_t> words_;  // of whole words, so that they are aligned
  size_t capacity_;
  size_t size_ = 0U;
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_TILING_DATA_H_
