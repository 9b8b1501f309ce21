#include <dirent.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "om.h"

struct aclDataBuffer {
  void *data;
  size_t size;
};

struct aclmdlDataset {
  std::vector<aclDataBuffer *> buffers;
};

struct aclmdlDesc {
  std::vector<size_t> inputs;
  std::vector<size_t> outputs;
};

namespace standin {
namespace {
struct Models {
  std::mutex mutex;
  uint32_t next = 1U;
  std::map<uint32_t, std::shared_ptr<LoadedOm>> loaded;

  std::shared_ptr<LoadedOm> Find(uint32_t id) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto found = loaded.find(id);
    return found == loaded.end() ? nullptr : found->second;
  }
};

Models &TheModels() {
  static auto *models = new Models;
  return *models;
}

std::atomic<bool> initialized{false};

// Files in memory that are open, but for the stand-in's own.
size_t OpenMemoryFiles() {
  size_t count = 0U;
  DIR *directory = opendir("/proc/self/fd");
  while (directory != nullptr) {
    const dirent *entry = readdir(directory);
    if (entry == nullptr) {
      (void)closedir(directory);
      break;
    }
    std::array<char, 64U> target{};
    const ssize_t size = readlinkat(dirfd(directory), entry->d_name, target.data(), target.size() - 1U);
    const std::string name = size > 0 ? target.data() : "";
    count += name.rfind("/memfd:", 0U) == 0U && name.rfind("/memfd:standin_model", 0U) != 0U ? 1U : 0U;
  }
  return count;
}
size_t open_at_first = 0U;

aclError Failed(const std::string &message) {
  std::cerr << "[stand-in] " << message << "\n";
  SetLastError(ACL_ERROR_FAILURE);
  return ACL_ERROR_FAILURE;
}

// The shapes of a model are fixed, so tensors without shapes do.
std::vector<gert::Tensor> TensorsOf(const aclmdlDataset &dataset) {
  std::vector<gert::Tensor> tensors(dataset.buffers.size());
  for (size_t i = 0U; i < tensors.size(); ++i) {
    const aclDataBuffer &buffer = *dataset.buffers[i];
    tensors[i].MutableTensorData() = gert::TensorData(buffer.data, nullptr, buffer.size, gert::kOnDeviceHbm);
  }
  return tensors;
}
}  // namespace
}  // namespace standin

extern "C" {
aclError aclInit(const char *) {
  if (standin::initialized.exchange(true)) {
    return ACL_ERROR_REPEAT_INITIALIZE;
  }
  standin::open_at_first = standin::OpenMemoryFiles();
  return ACL_SUCCESS;
}

aclError aclFinalize(void) {
  standin::initialized = false;
  standin::Models &models = standin::TheModels();
  const std::lock_guard<std::mutex> lock(models.mutex);
  const size_t open = standin::OpenMemoryFiles();
  if (models.loaded.empty() && open > standin::open_at_first) {
    std::cerr << "[stand-in] " << open - standin::open_at_first
              << " files in memory are still open although every model is unloaded\n";
  }
  return ACL_SUCCESS;
}

const char *aclGetRecentErrMsg(void) {
  return "";
}

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size) {
  return new (std::nothrow) aclDataBuffer{data, size};
}
aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer) {
  delete dataBuffer;
  return ACL_SUCCESS;
}
void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer) {
  return dataBuffer->data;
}
size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer) {
  return dataBuffer->size;
}

aclError aclmdlLoadFromFile(const char *modelPath, uint32_t *modelId) {
  if (!standin::initialized) {
    return standin::Failed("aclmdlLoadFromFile: aclInit was not called");
  }
  try {
    if (!standin::LoadPackages()) {
      return standin::Failed("aclmdlLoadFromFile: the operator packages cannot be loaded");
    }
    auto model = std::make_shared<standin::LoadedOm>(modelPath);
    standin::Models &models = standin::TheModels();
    const std::lock_guard<std::mutex> lock(models.mutex);
    *modelId = models.next++;
    models.loaded[*modelId] = std::move(model);
    return ACL_SUCCESS;
  } catch (const std::exception &error) {
    return standin::Failed(std::string("aclmdlLoadFromFile: ") + error.what());
  }
}

aclError aclmdlUnload(uint32_t modelId) {
  standin::Models &models = standin::TheModels();
  std::shared_ptr<standin::LoadedOm> model;
  const std::lock_guard<std::mutex> lock(models.mutex);
  const auto found = models.loaded.find(modelId);
  if (found == models.loaded.end()) {
    return ACL_ERROR_INVALID_PARAM;
  }
  model = std::move(found->second);
  models.loaded.erase(found);
  return ACL_SUCCESS;
}

aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset *input, aclmdlDataset *output) {
  const std::shared_ptr<standin::LoadedOm> model = standin::TheModels().Find(modelId);
  if (model == nullptr || input == nullptr || output == nullptr) {
    return ACL_ERROR_INVALID_PARAM;
  }
  try {
    std::vector<gert::Tensor> outputs = standin::TensorsOf(*output);
    model->Execute(standin::TensorsOf(*input), outputs);
    return ACL_SUCCESS;
  } catch (const std::exception &error) {
    return standin::Failed(std::string("aclmdlExecute: ") + error.what());
  }
}

aclmdlDesc *aclmdlCreateDesc(void) {
  return new (std::nothrow) aclmdlDesc;
}
aclError aclmdlDestroyDesc(aclmdlDesc *modelDesc) {
  delete modelDesc;
  return ACL_SUCCESS;
}
aclError aclmdlGetDesc(aclmdlDesc *modelDesc, uint32_t modelId) {
  const std::shared_ptr<standin::LoadedOm> model = standin::TheModels().Find(modelId);
  if (model == nullptr || modelDesc == nullptr) {
    return ACL_ERROR_INVALID_PARAM;
  }
  modelDesc->inputs = model->model().InputSizes();
  modelDesc->outputs = model->model().OutputSizes();
  return ACL_SUCCESS;
}
size_t aclmdlGetNumInputs(aclmdlDesc *modelDesc) {
  return modelDesc->inputs.size();
}
size_t aclmdlGetNumOutputs(aclmdlDesc *modelDesc) {
  return modelDesc->outputs.size();
}
size_t aclmdlGetInputSizeByIndex(aclmdlDesc *modelDesc, size_t index) {
  return index < modelDesc->inputs.size() ? modelDesc->inputs[index] : 0U;
}
size_t aclmdlGetOutputSizeByIndex(aclmdlDesc *modelDesc, size_t index) {
  return index < modelDesc->outputs.size() ? modelDesc->outputs[index] : 0U;
}

aclmdlDataset *aclmdlCreateDataset(void) {
  return new (std::nothrow) aclmdlDataset;
}
aclError aclmdlDestroyDataset(const aclmdlDataset *dataset) {
  delete dataset;
  return ACL_SUCCESS;
}
aclError aclmdlAddDatasetBuffer(aclmdlDataset *dataset, aclDataBuffer *dataBuffer) {
  if (dataset == nullptr || dataBuffer == nullptr) {
    return ACL_ERROR_INVALID_PARAM;
  }
  dataset->buffers.push_back(dataBuffer);
  return ACL_SUCCESS;
}
size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset *dataset) {
  return dataset->buffers.size();
}
aclDataBuffer *aclmdlGetDatasetBuffer(const aclmdlDataset *dataset, size_t index) {
  return index < dataset->buffers.size() ? dataset->buffers[index] : nullptr;
}
}
