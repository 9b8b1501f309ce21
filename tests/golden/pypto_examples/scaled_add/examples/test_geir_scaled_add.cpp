// Generated from op.yaml by opgen.

/*!
 * \file test_geir_scaled_add.cpp
 * \brief Runs ScaledAdd in a graph for every data type and compares the results with expected values.
 */

#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "array_ops.h"
#include "ge/ge_api.h"
#include "graph/graph.h"
#include "graph/operator.h"
#include "graph/tensor.h"
#include "../op_graph/scaled_add_proto.h"
#include "scaled_add_golden.h"

using scaled_add::BFloat16;
using scaled_add::Float16;
using scaled_add::TestCase;

namespace {
using Options = std::map<ge::AscendString, ge::AscendString>;

void Check(ge::Status status, const char* call)
{
    if (status != ge::SUCCESS) {
        throw std::runtime_error(std::string(call) + " returned " + std::to_string(status) + "\n" +
                                 ge::GEGetErrorMsgV2().GetString());
    }
}

// Initializes GE on one device.
class Engine {
public:
    explicit Engine(const char* deviceId)
    {
        const Options options = {{"ge.exec.deviceId", deviceId}, {"ge.graphRunMode", "0"}};
        Check(ge::GEInitialize(options), "GEInitialize");
    }
    ~Engine() { (void)ge::GEFinalize(); }
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
};

template <typename Element>
ge::DataType GeType();

template <>
ge::DataType GeType<float>()
{
    return ge::DT_FLOAT;
}

template <>
ge::DataType GeType<Float16>()
{
    return ge::DT_FLOAT16;
}

template <>
ge::DataType GeType<BFloat16>()
{
    return ge::DT_BF16;
}

template <typename Element>
ge::TensorDesc DescOf(const std::vector<int64_t>& shape)
{
    return ge::TensorDesc(ge::Shape(shape), ge::FORMAT_ND, GeType<Element>());
}

ge::op::Data MakeData(const char* name, const ge::TensorDesc& desc, int64_t index)
{
    ge::op::Data data(name);
    (void)data.set_attr_index(index);
    (void)data.update_input_desc_x(desc);
    (void)data.update_output_desc_y(desc);
    return data;
}

template <typename Element>
ge::Tensor MakeTensor(const std::vector<int64_t>& shape, const std::vector<Element>& values)
{
    return ge::Tensor(DescOf<Element>(shape), reinterpret_cast<const uint8_t*>(values.data()),
                      values.size() * sizeof(Element));
}

template <typename Element>
std::vector<Element> ReadTensor(const ge::Tensor& tensor, const std::vector<int64_t>& shape)
{
    std::vector<Element> values(scaled_add::ElementCount(shape));
    if (tensor.GetSize() < values.size() * sizeof(Element)) {
        throw std::runtime_error("a result has " + std::to_string(tensor.GetSize()) + " bytes");
    }
    std::memcpy(static_cast<void*>(values.data()), tensor.GetData(), values.size() * sizeof(Element));
    return values;
}

template <typename T>
ge::Graph BuildGraph(const TestCase& test)
{
    ge::op::ScaledAdd node("scaled_add");
    std::vector<ge::Operator> inputs;
    int64_t index = 0;
    ge::op::Data x = MakeData("x", DescOf<T>(test.shape), index++);
    inputs.push_back(x);
    (void)node.set_input_x(x);
    ge::op::Data y = MakeData("y", DescOf<T>(test.shape), index++);
    inputs.push_back(y);
    (void)node.set_input_y(y);
    (void)node.set_attr_alpha(test.alpha);

    ge::Graph graph("scaled_add_graph");
    (void)graph.SetInputs(inputs).SetOutputs({node});
    return graph;
}

template <typename T>
bool Run(const char* types, const TestCase& test, uint32_t graphId, ge::Session& session)
{
    const scaled_add::Inputs<T> inputs = scaled_add::MakeInputs<T>(test);
    std::vector<ge::Tensor> feeds;
    feeds.push_back(MakeTensor(test.shape, inputs.x));
    feeds.push_back(MakeTensor(test.shape, inputs.y));

    Check(session.AddGraph(graphId, BuildGraph<T>(test)), "AddGraph");
    std::vector<ge::Tensor> results;
    Check(session.RunGraph(graphId, feeds, results), "RunGraph");
    if (results.size() != 1) {
        throw std::runtime_error("RunGraph returned " + std::to_string(results.size()) + " results");
    }
    scaled_add::Outputs<T> outputs;
    outputs.z = ReadTensor<T>(results[0], test.shape);
    Check(session.RemoveGraph(graphId), "RemoveGraph");
    return scaled_add::CheckResult<T>(types, test, inputs, outputs);
}
} // namespace

int main()
{
    try {
        const Engine engine("0");
        ge::Session session(Options{});
        bool passed = true;
        uint32_t graphId = 0;
        for (const TestCase& test : scaled_add::TestCases()) {
            passed = Run<Float16>("float16", test, graphId++, session) && passed;
            passed = Run<BFloat16>("bfloat16", test, graphId++, session) && passed;
            passed = Run<float>("float32", test, graphId++, session) && passed;
        }
        std::printf("%s\n", passed ? "Precision check passed" : "Precision check failed");
        return passed ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
