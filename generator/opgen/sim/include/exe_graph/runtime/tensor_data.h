// CANN stand-in: the memory of a tensor, which has one owner.
#ifndef STANDIN_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_
#define STANDIN_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "graph/ge_error_codes.h"

namespace gert {
using TensorAddress = void *;
using ConstTensorAddressPtr = const void *;

enum TensorPlacement : int32_t {
  kOnDeviceHbm,
  kOnHost,
  kFollowing,  // right behind the tensor object, on the host
  kOnDeviceP2p,
  kTensorPlacementEnd
};

enum TensorOperateType : int32_t { kGetTensorAddress, kFreeTensor, kPlusShareCount, kTensorOperateType };

// Frees or shares the memory of a tensor; null when somebody else owns it.
using TensorAddrManager = ge::graphStatus (*)(TensorAddress const addr, TensorOperateType operate_type, void **out);

class TensorData {
 public:
  explicit TensorData(TensorAddress addr = nullptr, const TensorAddrManager manager = nullptr)
      : TensorData(addr, manager, 0U, kTensorPlacementEnd) {}
  TensorData(TensorAddress addr, const TensorAddrManager manager, const size_t size, const TensorPlacement placement)
      : addr_(addr), manager_(manager), size_(size), placement_(placement) {}
  TensorData(const TensorData &) = delete;
  TensorData &operator=(const TensorData &) = delete;
  TensorData(TensorData &&other) noexcept { TakeFrom(other); }
  TensorData &operator=(TensorData &&other) noexcept {
    if (this != &other) {
      (void)Free();
      TakeFrom(other);
    }
    return *this;
  }
  ~TensorData() { (void)Free(); }

  TensorAddress GetAddr() const { return addr_; }
  size_t GetSize() const { return size_; }
  void SetSize(const size_t size) { size_ = size; }
  TensorPlacement GetPlacement() const { return placement_; }
  void SetPlacement(const TensorPlacement placement) { placement_ = placement; }
  ge::graphStatus SetAddr(const TensorAddress addr, const TensorAddrManager manager) {
    const ge::graphStatus status = Free();
    addr_ = addr;
    manager_ = manager;
    return status;
  }
  ge::graphStatus Free() {
    const ge::graphStatus status = manager_ == nullptr ? ge::GRAPH_SUCCESS : manager_(addr_, kFreeTensor, nullptr);
    addr_ = nullptr;
    manager_ = nullptr;
    return status;
  }

 private:
  void TakeFrom(TensorData &other) {
    addr_ = std::exchange(other.addr_, nullptr);
    manager_ = std::exchange(other.manager_, nullptr);
    size_ = std::exchange(other.size_, 0U);
    placement_ = std::exchange(other.placement_, kTensorPlacementEnd);
  }

  TensorAddress addr_ = nullptr;
  TensorAddrManager manager_ = nullptr;
  size_t size_ = 0U;
  TensorPlacement placement_ = kTensorPlacementEnd;
};
}  // namespace gert

#endif  // STANDIN_EXE_GRAPH_RUNTIME_TENSOR_DATA_H_
