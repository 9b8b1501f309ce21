// CANN stand-in: what the aclnn functions of an operator are made of. CANN has other means for it.
#ifndef STANDIN_ACLNN_H_
#define STANDIN_ACLNN_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/acl_meta.h"
#include "standin/host_case.h"

namespace standin {
// Status of aclnn functions.
constexpr aclnnStatus kNullPointer = 161001;
constexpr aclnnStatus kInvalidParameter = 161002;
constexpr aclnnStatus kTilingFailed = 561002;
constexpr aclnnStatus kLaunchFailed = 561103;

// Collects the parameters of one call, in the order of the definition.
class AclnnCall {
 public:
  explicit AclnnCall(const char *op);

  void Input(const char *name, const aclTensor *tensor, bool optional);
  void Output(const char *name, const aclTensor *tensor);
  // An output whose memory is that of an input.
  void InPlace(const char *name);
  void Attr(const char *name, HostValue value) { host_.attrs.emplace_back(name, std::move(value)); }

  // Compares the types with the columns of the definition, and calls Tiling. As op_build's function it checks no
  // shapes: tiling does.
  aclnnStatus Plan(uint64_t *workspace_size, aclOpExecutor **executor);

 private:
  struct Slot {
    std::string name;
    const aclTensor *tensor;
    std::string same_as;
  };

  bool HasColumn() const;

  HostCase host_;
  std::vector<Slot> inputs_;
  std::vector<Slot> outputs_;
  bool missing_ = false;
};

std::vector<int64_t> ValuesOf(const aclIntArray *array);
std::vector<float> ValuesOf(const aclFloatArray *array);
std::vector<bool> ValuesOf(const aclBoolArray *array);

// Puts the kernel on the stream: the program in STANDIN_DEVICE computes it. Frees the executor.
aclnnStatus LaunchAclnn(void *workspace, uint64_t workspace_size, aclOpExecutor *executor, aclrtStream stream);
}  // namespace standin

#endif  // STANDIN_ACLNN_H_
