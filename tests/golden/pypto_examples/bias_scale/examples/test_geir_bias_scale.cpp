// Generated from op.yaml by opgen.

/*!
 * \file test_geir_bias_scale.cpp
 * \brief Runs BiasScale in a graph for every data type and compares the results with expected values.
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
#include "../op_graph/bias_scale_proto.h"
#include "bias_scale_golden.h"

using bias_scale::Float16;
using bias_scale::TestCase;

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
    std::vector<Element> values(bias_scale::ElementCount(shape));
    if (tensor.GetSize() < values.size() * sizeof(Element)) {
        throw std::runtime_error("a result has " + std::to_string(tensor.GetSize()) + " bytes");
    }
    std::memcpy(static_cast<void*>(values.data()), tensor.GetData(), values.size() * sizeof(Element));
    return values;
}

template <typename T>
ge::Graph BuildGraph(const TestCase& test)
{
    ge::op::BiasScale node("bias_scale");
    std::vector<ge::Operator> inputs;
    int64_t index = 0;
    ge::op::Data x = MakeData("x", DescOf<T>(bias_scale::XShape(test)), index++);
    inputs.push_back(x);
    (void)node.set_input_x(x);
    if (test.hasBias) {
        ge::op::Data bias = MakeData("bias", DescOf<T>(bias_scale::BiasShape(test)), index++);
        inputs.push_back(bias);
        (void)node.set_input_bias(bias);
    }

    ge::Graph graph("bias_scale_graph");
    (void)graph.SetInputs(inputs).SetOutputs({node});
    return graph;
}

template <typename T>
bool Run(const char* types, const TestCase& test, uint32_t graphId, ge::Session& session)
{
    const bias_scale::Inputs<T> inputs = bias_scale::MakeInputs<T>(test);
    std::vector<ge::Tensor> feeds;
    feeds.push_back(MakeTensor(bias_scale::XShape(test), inputs.x));
    if (test.hasBias) {
        feeds.push_back(MakeTensor(bias_scale::BiasShape(test), inputs.bias));
    }

    Check(session.AddGraph(graphId, BuildGraph<T>(test)), "AddGraph");
    std::vector<ge::Tensor> results;
    Check(session.RunGraph(graphId, feeds, results), "RunGraph");
    if (results.size() != 1) {
        throw std::runtime_error("RunGraph returned " + std::to_string(results.size()) + " results");
    }
    bias_scale::Outputs<T> outputs;
    outputs.y = ReadTensor<T>(results[0], bias_scale::XShape(test));
    Check(session.RemoveGraph(graphId), "RemoveGraph");
    return bias_scale::CheckResult<T>(types, test, inputs, outputs);
}
} // namespace

int main()
{
    try {
        const Engine engine("0");
        ge::Session session(Options{});
        bool passed = true;
        uint32_t graphId = 0;
        for (const TestCase& test : bias_scale::TestCases()) {
            passed = Run<float>("float32", test, graphId++, session) && passed;
            passed = Run<Float16>("float16", test, graphId++, session) && passed;
        }
        std::printf("%s\n", passed ? "Precision check passed" : "Precision check failed");
        return passed ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
