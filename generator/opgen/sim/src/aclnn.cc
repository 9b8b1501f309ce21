#include "standin/aclnn.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>

#include "device.h"
#include "runtime.h"
#include "standin/op_record.h"

struct aclTensor {
  std::vector<int64_t> dims;
  int type;
  void *data;
};
struct aclIntArray {
  std::vector<int64_t> values;
};
struct aclFloatArray {
  std::vector<float> values;
};
struct aclBoolArray {
  std::vector<bool> values;
};
struct aclOpExecutor {
  standin::KernelLaunch launch;
  uint64_t workspace;
};

namespace standin {
namespace {
HostTensor HostTensorOf(const aclTensor &tensor) {
  HostTensor host;
  host.type = static_cast<ge::DataType>(tensor.type);
  for (const int64_t dim : tensor.dims) {
    host.shape.MutableOriginShape().AppendDim(dim);
    host.shape.MutableStorageShape().AppendDim(dim);
  }
  return host;
}

HostPort PortOf(const aclTensor *tensor) {
  return tensor == nullptr ? HostPort() : HostPort{HostTensorOf(*tensor)};
}

KernelTensor KernelTensorOf(const std::string &name, const aclTensor *tensor, bool output) {
  KernelTensor kernel;
  kernel.name = name;
  kernel.output = output;
  if (tensor != nullptr) {
    kernel.type = tensor->type;
    kernel.dims = tensor->dims;
    kernel.data = tensor->data;
    const HostTensor host = HostTensorOf(*tensor);
    const int64_t size = ge::GetSizeInBytes(host.shape.GetStorageShape().GetShapeSize(), host.type);
    kernel.size = static_cast<size_t>(std::max<int64_t>(size, 0));
  }
  return kernel;
}

aclnnStatus Failed(aclnnStatus status, const std::string &message) {
  std::cerr << "[stand-in] " << message << "\n";
  return status;
}
}  // namespace

AclnnCall::AclnnCall(const char *op) {
  host_.op = op;
}

void AclnnCall::Input(const char *name, const aclTensor *tensor, bool optional) {
  missing_ = missing_ || (tensor == nullptr && !optional);
  host_.inputs.push_back(PortOf(tensor));
  inputs_.push_back({name, tensor, ""});
}

void AclnnCall::Output(const char *name, const aclTensor *tensor) {
  missing_ = missing_ || tensor == nullptr;
  host_.outputs.push_back(PortOf(tensor));
  outputs_.push_back({name, tensor, ""});
}

void AclnnCall::InPlace(const char *name) {
  for (const Slot &input : inputs_) {
    if (input.name == name) {
      host_.outputs.push_back(PortOf(input.tensor));
      outputs_.push_back({std::string(name) + "_ref", input.tensor, name});
    }
  }
}

bool AclnnCall::HasColumn() const {
  const auto records = OpRecords();
  const auto found = records.find(host_.op);
  if (found == records.end()) {
    return true;
  }
  std::vector<std::pair<const ParamRecord *, const HostPort *>> params;
  for (size_t i = 0U; i < host_.inputs.size(); ++i) {
    params.emplace_back(&found->second.inputs[i], &host_.inputs[i]);
  }
  for (size_t i = 0U; i < host_.outputs.size(); ++i) {
    params.emplace_back(&found->second.outputs[i], &host_.outputs[i]);
  }
  const size_t columns = found->second.inputs.empty() ? 0U : found->second.inputs[0].types.size();
  for (size_t column = 0U; column < columns; ++column) {
    const bool fits = std::all_of(params.begin(), params.end(), [column](const auto &param) {
      const auto &[record, port] = param;
      return port->empty() || (column < record->types.size() && record->types[column] == (*port)[0].type);
    });
    if (fits) {
      return true;
    }
  }
  return columns == 0U;
}

aclnnStatus AclnnCall::Plan(uint64_t *workspace_size, aclOpExecutor **executor) {
  if (missing_ || workspace_size == nullptr || executor == nullptr) {
    return Failed(kNullPointer, host_.op + ": a parameter is a null pointer");
  }
  if (!HasColumn()) {
    return Failed(kInvalidParameter, host_.op + ": the definition has no column with these data types");
  }
  host_.chip.cube_cores = 32U;
  host_.chip.vector_cores = 64U;
  TilingResult result;
  try {
    result = RunTiling(host_);
  } catch (const std::exception &error) {
    return Failed(kTilingFailed, error.what());
  }
  if (result.status != ge::GRAPH_SUCCESS || !result.has_key || result.blocks == 0U) {
    return Failed(kTilingFailed, host_.op + ": tiling failed, or set no key or no block dim");
  }
  auto planned = std::make_unique<aclOpExecutor>();
  planned->workspace = result.workspaces.empty() ? 0U : result.workspaces[0];
  KernelLaunch &launch = planned->launch;
  launch.op = host_.op;
  launch.key = result.key;
  launch.blocks = result.blocks;
  launch.tiling = result.data;
  launch.workspace = UserWorkspace(result.workspaces);
  for (const Slot &slot : inputs_) {
    launch.tensors.push_back(KernelTensorOf(slot.name, slot.tensor, false));
  }
  for (const Slot &slot : outputs_) {
    launch.tensors.push_back(KernelTensorOf(slot.name, slot.tensor, true));
    launch.tensors.back().same_as = slot.same_as;
  }
  *workspace_size = planned->workspace;
  *executor = planned.release();
  return ACL_SUCCESS;
}

std::vector<int64_t> ValuesOf(const aclIntArray *array) {
  return array == nullptr ? std::vector<int64_t>() : array->values;
}
std::vector<float> ValuesOf(const aclFloatArray *array) {
  return array == nullptr ? std::vector<float>() : array->values;
}
std::vector<bool> ValuesOf(const aclBoolArray *array) {
  return array == nullptr ? std::vector<bool>() : array->values;
}

aclnnStatus LaunchAclnn(void *workspace, uint64_t workspace_size, aclOpExecutor *executor, aclrtStream stream) {
  if (executor == nullptr || stream == nullptr) {
    return Failed(kNullPointer, "there is no executor, or no stream");
  }
  const std::unique_ptr<aclOpExecutor> planned(executor);
  if (workspace_size < planned->workspace || (workspace == nullptr && planned->workspace > 0U)) {
    return Failed(kInvalidParameter, planned->launch.op + ": the workspace is smaller than what was asked for");
  }
  const KernelLaunch launch = planned->launch;
  StreamOf(stream)->Add([launch] { RunOnDevice(launch); });
  return ACL_SUCCESS;
}
}  // namespace standin

extern "C" {
aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *,
                           int64_t, aclFormat, const int64_t *, uint64_t, void *tensorData) {
  return new aclTensor{std::vector<int64_t>(viewDims, viewDims + viewDimsNum), dataType, tensorData};
}
aclnnStatus aclDestroyTensor(const aclTensor *tensor) {
  delete tensor;
  return ACL_SUCCESS;
}

#define STANDIN_ARRAY(Kind, type)                                 \
  acl##Kind *aclCreate##Kind(const type *value, uint64_t size) {  \
    return new acl##Kind{std::vector<type>(value, value + size)}; \
  }                                                               \
  aclnnStatus aclDestroy##Kind(const acl##Kind *array) {          \
    delete array;                                                 \
    return ACL_SUCCESS;                                           \
  }
STANDIN_ARRAY(IntArray, int64_t)
STANDIN_ARRAY(FloatArray, float)
STANDIN_ARRAY(BoolArray, bool)
#undef STANDIN_ARRAY
}
