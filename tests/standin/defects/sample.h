// An offline operator without defects: its kernels are the files KERNELS/COUNT.bin, one for each number of elements.
// The defective ones differ from it in one member.
#ifndef TESTS_STANDIN_DEFECTS_SAMPLE_H_
#define TESTS_STANDIN_DEFECTS_SAMPLE_H_

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/custom_op.h"
#ifndef WITHOUT_REG_OP
#include "probe.h"
#endif

using Bytes = std::vector<uint8_t>;
using Call = void (*)(const float *x, const float *y, float *z, void *stream);

struct Kernel {
  Bytes image;
  void *handle = nullptr;
};

class Sample : public ge::EagerExecuteOp, public ge::ShapeInferOp, public ge::CompilableOp, public ge::PortableOp {
 public:
  ge::graphStatus InferDataType(gert::InferDataTypeContext *ctx) override {
    return ctx->SetOutputDataType(0U, ctx->GetInputDataType(0U));
  }

  ge::graphStatus InferShape(gert::InferShapeContext *ctx) override {
    *ctx->GetOutputShape(0U) = *ctx->GetInputShape(0U);
    return ge::GRAPH_SUCCESS;
  }

  ge::graphStatus Compile(gert::OpCompileContext *ctx) override {
    const int64_t count = ctx->GetInputTensor(0U)->GetShapeSize();
    const Bytes image = MakeKernel(count);
    return !image.empty() && Keep({{count, image}}) ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
  }

  ge::graphStatus Serialize(std::vector<uint8_t> &buffer) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto &[count, kernel] : kernels_) {
      const int64_t numbers[] = {count, static_cast<int64_t>(kernel.image.size())};
      const auto *bytes = reinterpret_cast<const uint8_t *>(numbers);
      buffer.insert(buffer.end(), bytes, bytes + sizeof(numbers));
      buffer.insert(buffer.end(), kernel.image.begin(), kernel.image.end());
    }
    return buffer.empty() ? ge::GRAPH_FAILED : ge::GRAPH_SUCCESS;
  }

  ge::graphStatus Deserialize(const std::vector<uint8_t> &buffer) override {
    std::map<int64_t, Bytes> images;
    for (size_t at = 0U; at + 16U < buffer.size();) {
      int64_t numbers[2] = {};
      std::memcpy(numbers, buffer.data() + at, sizeof(numbers));
      const auto begin = buffer.begin() + static_cast<std::ptrdiff_t>(at + sizeof(numbers));
      images[numbers[0]] = Bytes(begin, begin + numbers[1]);
      at += sizeof(numbers) + static_cast<size_t>(numbers[1]);
    }
    return !images.empty() && Keep(images) ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
  }

  ge::graphStatus Execute(gert::EagerOpExecutionContext *ctx) override {
    const gert::Tensor *x = ctx->GetInputTensor(0U);
    const gert::Tensor *y = ctx->GetInputTensor(1U);
    void *handle = Find(x->GetShapeSize());
    if (!Fit(*x, *y) || handle == nullptr) {
      return ge::GRAPH_FAILED;
    }
    gert::Tensor *z = ctx->MallocOutputTensor(0U, x->GetShape(), x->GetFormat(), x->GetDataType());
    if (z == nullptr) {
      return ge::GRAPH_FAILED;
    }
    const auto call = reinterpret_cast<Call>(dlsym(handle, "call"));
    call(x->GetData<float>(), y->GetData<float>(), z->GetData<float>(), ctx->GetStream());
    return ge::GRAPH_SUCCESS;
  }

 protected:
  virtual bool Fit(const gert::Tensor &x, const gert::Tensor &y) const {
    return x.GetOriginShape() == y.GetOriginShape();
  }

  virtual Bytes MakeKernel(int64_t count) { return ReadFile(KernelPath(count)); }

  // Null when it cannot be loaded.
  virtual void *Load(const Bytes &image) {
    std::string path = "/tmp/standin_kernel_XXXXXX";
    const int file = mkstemp(path.data());
    const bool written = write(file, image.data(), image.size()) == static_cast<ssize_t>(image.size());
    (void)close(file);
    void *handle = written ? Open(path) : nullptr;
    (void)unlink(path.c_str());
    return handle;
  }

  virtual bool Keep(const std::map<int64_t, Bytes> &images) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto &[count, image] : images) {
      Kernel &kernel = kernels_[count];
      if (kernel.handle == nullptr) {
        kernel = {image, Load(image)};
      }
      if (kernel.handle == nullptr) {
        return false;
      }
    }
    return true;
  }

  virtual void *Find(int64_t count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = kernels_.find(count);
    return found == kernels_.end() ? nullptr : found->second.handle;
  }

  static std::string KernelPath(int64_t count) {
    return std::string(std::getenv("KERNELS")) + "/" + std::to_string(count) + ".bin";
  }

  static Bytes ReadFile(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::cerr << "no kernel " << path << "\n";
    }
    return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  static void *Open(const std::string &path) {
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      std::cerr << dlerror() << "\n";
    }
    return handle;
  }

  std::mutex mutex_;
  // Not a std::map, whose pointers are set in the C++ library, where the thread sanitizer does not look.
  std::unordered_map<int64_t, Kernel> kernels_;
};

#endif  // TESTS_STANDIN_DEFECTS_SAMPLE_H_
