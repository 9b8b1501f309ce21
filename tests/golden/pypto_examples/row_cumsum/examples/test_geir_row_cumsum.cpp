// Generated from op.yaml by opgen.

/*!
 * \file test_geir_row_cumsum.cpp
 * \brief Runs RowCumsum in a graph for every data type and compares the results with expected values.
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
#include "../op_graph/row_cumsum_proto.h"
#include "row_cumsum_golden.h"

using row_cumsum::Float16;
using row_cumsum::TestCase;

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
    std::vector<Element> values(row_cumsum::ElementCount(shape));
    if (tensor.GetSize() < values.size() * sizeof(Element)) {
        throw std::runtime_error("a result has " + std::to_string(tensor.GetSize()) + " bytes");
    }
    std::memcpy(static_cast<void*>(values.data()), tensor.GetData(), values.size() * sizeof(Element));
    return values;
}

template <typename T>
ge::Graph BuildGraph(const TestCase& test)
{
    ge::op::RowCumsum node("row_cumsum");
    std::vector<ge::Operator> inputs;
    int64_t index = 0;
    ge::op::Data x = MakeData("x", DescOf<T>(row_cumsum::XShape(test)), index++);
    inputs.push_back(x);
    (void)node.set_input_x(x);

    ge::Graph graph("row_cumsum_graph");
    (void)graph.SetInputs(inputs).SetOutputs({node});
    return graph;
}

template <typename T>
bool Run(const char* types, const TestCase& test, uint32_t graphId, ge::Session& session)
{
    const row_cumsum::Inputs<T> inputs = row_cumsum::MakeInputs<T>(types, test);
    std::vector<ge::Tensor> feeds;
    feeds.push_back(MakeTensor(row_cumsum::XShape(test), inputs.x));

    Check(session.AddGraph(graphId, BuildGraph<T>(test)), "AddGraph");
    std::vector<ge::Tensor> results;
    Check(session.RunGraph(graphId, feeds, results), "RunGraph");
    if (results.size() != 1) {
        throw std::runtime_error("RunGraph returned " + std::to_string(results.size()) + " results");
    }
    row_cumsum::Outputs<T> outputs;
    outputs.y = ReadTensor<T>(results[0], row_cumsum::XShape(test));
    Check(session.RemoveGraph(graphId), "RemoveGraph");
    return row_cumsum::CheckResult<T>(types, test, inputs, outputs);
}
} // namespace

int main(int argc, char** argv)
{
    if (argc > 1) {
        row_cumsum::GoldenFolder() = argv[1];
    }
    try {
        const Engine engine("0");
        ge::Session session(Options{});
        bool passed = true;
        uint32_t graphId = 0;
        for (const TestCase& test : row_cumsum::TestCases()) {
            passed = Run<Float16>("float16", test, graphId++, session) && passed;
            passed = Run<float>("float32", test, graphId++, session) && passed;
        }
        std::printf("%s\n", passed ? "Precision check passed" : "Precision check failed");
        return passed ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
