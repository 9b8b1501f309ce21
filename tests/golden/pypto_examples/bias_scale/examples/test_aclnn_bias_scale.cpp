// Generated from op.yaml by opgen.

/*!
 * \file test_aclnn_bias_scale.cpp
 * \brief Calls aclnnBiasScale for every data type and compares the results with expected values.
 */

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn_bias_scale.h"
#include "bias_scale_golden.h"

using bias_scale::Float16;
using bias_scale::TestCase;

namespace {
void Check(int32_t status, const char* call)
{
    if (status != ACL_SUCCESS) {
        const char* detail = aclGetRecentErrMsg();
        throw std::runtime_error(std::string(call) + " returned " + std::to_string(status) +
                                 (detail == nullptr ? "" : "\n") + (detail == nullptr ? "" : detail));
    }
}

// Initializes ACL, one device and one stream.
class Device {
public:
    explicit Device(int32_t id) : id_(id)
    {
        Check(aclInit(nullptr), "aclInit");
        try {
            Check(aclrtSetDevice(id_), "aclrtSetDevice");
            deviceIsSet_ = true;
            Check(aclrtCreateStream(&stream_), "aclrtCreateStream");
        } catch (...) {
            Release();
            throw;
        }
    }
    ~Device() { Release(); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    aclrtStream Stream() const { return stream_; }

private:
    void Release()
    {
        if (stream_ != nullptr) {
            (void)aclrtDestroyStream(stream_);
        }
        if (deviceIsSet_) {
            (void)aclrtResetDevice(id_);
        }
        (void)aclFinalize();
    }

    int32_t id_;
    bool deviceIsSet_ = false;
    aclrtStream stream_ = nullptr;
};

class DeviceMemory {
public:
    explicit DeviceMemory(size_t size) : size_(size)
    {
        if (size_ > 0) {
            Check(aclrtMalloc(&address_, size_, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
        }
    }
    ~DeviceMemory()
    {
        if (address_ != nullptr) {
            (void)aclrtFree(address_);
        }
    }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    void* Address() const { return address_; }
    size_t Size() const { return size_; }

private:
    size_t size_;
    void* address_ = nullptr;
};

template <typename Element>
aclDataType AclType();

template <>
aclDataType AclType<float>()
{
    return ACL_FLOAT;
}

template <>
aclDataType AclType<Float16>()
{
    return ACL_FLOAT16;
}

// A contiguous tensor on the device.
template <typename Element>
class DeviceTensor {
public:
    DeviceTensor(const std::vector<int64_t>& shape, const std::vector<Element>& values) : DeviceTensor(shape, 0)
    {
        Check(aclrtMemcpy(memory_.Address(), memory_.Size(), values.data(), memory_.Size(), ACL_MEMCPY_HOST_TO_DEVICE),
              "aclrtMemcpy to the device");
    }
    // All bits are set, which is NaN in every floating-point type: an element that the kernel leaves out cannot pass.
    explicit DeviceTensor(const std::vector<int64_t>& shape) : DeviceTensor(shape, 0xFF) {}
    ~DeviceTensor() { (void)aclDestroyTensor(tensor_); }
    DeviceTensor(const DeviceTensor&) = delete;
    DeviceTensor& operator=(const DeviceTensor&) = delete;

    aclTensor* Get() const { return tensor_; }

    std::vector<Element> Read() const
    {
        std::vector<Element> values(memory_.Size() / sizeof(Element));
        Check(aclrtMemcpy(values.data(), memory_.Size(), memory_.Address(), memory_.Size(), ACL_MEMCPY_DEVICE_TO_HOST),
              "aclrtMemcpy to the host");
        return values;
    }

private:
    DeviceTensor(const std::vector<int64_t>& shape, int32_t byte)
        : memory_(bias_scale::ElementCount(shape) * sizeof(Element))
    {
        Check(aclrtMemset(memory_.Address(), memory_.Size(), byte, memory_.Size()), "aclrtMemset");
        std::vector<int64_t> strides(shape.size(), 1);
        for (size_t i = shape.size(); i-- > 1;) {
            strides[i - 1] = strides[i] * shape[i];
        }
        tensor_ = aclCreateTensor(shape.data(), shape.size(), AclType<Element>(), strides.data(), 0, ACL_FORMAT_ND,
                                  shape.data(), shape.size(), memory_.Address());
        if (tensor_ == nullptr) {
            throw std::runtime_error("aclCreateTensor returned no tensor");
        }
    }

    DeviceMemory memory_;
    aclTensor* tensor_ = nullptr;
};

template <typename T>
bool Run(const char* types, const TestCase& test, aclrtStream stream)
{
    const bias_scale::Inputs<T> inputs = bias_scale::MakeInputs<T>(test);
    const DeviceTensor<T> x(bias_scale::XShape(test), inputs.x);
    std::unique_ptr<DeviceTensor<T>> bias;
    if (test.hasBias) {
        bias.reset(new DeviceTensor<T>(bias_scale::BiasShape(test), inputs.bias));
    }
    const DeviceTensor<T> y(bias_scale::XShape(test));

    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    const int32_t planned = aclnnBiasScaleGetWorkspaceSize(x.Get(), bias == nullptr ? nullptr : bias->Get(), y.Get(),
                                                           &workspaceSize, &executor);
    Check(planned, "aclnnBiasScaleGetWorkspaceSize");
    const DeviceMemory workspace(workspaceSize);
    Check(aclnnBiasScale(workspace.Address(), workspaceSize, executor, stream), "aclnnBiasScale");
    Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");

    bias_scale::Outputs<T> outputs;
    outputs.y = y.Read();
    return bias_scale::CheckResult<T>(types, test, inputs, outputs);
}
} // namespace

int main()
{
    try {
        const Device device(0);
        bool passed = true;
        for (const TestCase& test : bias_scale::TestCases()) {
            passed = Run<float>("float32", test, device.Stream()) && passed;
            passed = Run<Float16>("float16", test, device.Stream()) && passed;
        }
        std::printf("%s\n", passed ? "Precision check passed" : "Precision check failed");
        return passed ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
