// The program that computes kernels: STANDIN_DEVICE, one process for all launches.
#ifndef STANDIN_SRC_DEVICE_H_
#define STANDIN_SRC_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace standin {
// A tensor of a kernel. data: null when an optional input is not connected. same_as: parameter whose memory it has.
struct KernelTensor {
  std::string name;
  int type = 0;  // CANN's number
  std::vector<int64_t> dims;
  void *data = nullptr;
  size_t size = 0U;  // bytes
  bool output = false;
  std::string same_as;
};

struct KernelLaunch {
  std::string op;
  uint64_t key = 0U;
  uint32_t blocks = 0U;
  uint64_t workspace = 0U;  // bytes
  std::vector<uint8_t> tiling;
  std::vector<KernelTensor> tensors;  // in the order of the kernel's parameters
};

// The bytes of a workspace that a kernel sees: without the part that the system keeps to itself.
uint64_t UserWorkspace(const std::vector<size_t> &workspaces);

// Writes lines to the device: "launch OP KEY BLOCKS WORKSPACE TILING TENSORS", for each tensor "NAME ROLE TYPE SIZE
// SAME_AS DIMS" (ROLE: input, output, absent), then the bytes of the tiling and of the inputs. It answers "ok" and the
// bytes of the outputs and of the tensors that outputs share, or "error" and what is wrong. Throws std::runtime_error.
void RunOnDevice(const KernelLaunch &launch);
}  // namespace standin

#endif  // STANDIN_SRC_DEVICE_H_
