// Generated from op.yaml by opgen.

/*!
 * \file bias_scale_golden.h
 * \brief Tests, inputs and expected values, shared by the two test programs.
 */

#ifndef BIAS_SCALE_GOLDEN_H
#define BIAS_SCALE_GOLDEN_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace bias_scale {
struct TestCase {
    std::vector<int64_t> leading;
    int64_t c;
    bool hasBias;
};

inline std::vector<TestCase> TestCases()
{
    return {
        {{8, 16}, 512, true},
        {{8, 16}, 512, false},
        // around the sizes of tiles
        {{1}, 512, true},
        {{2}, 512, true},
        {{3}, 512, true},
        {{64}, 512, true},
        {{65}, 512, true},
        {{128}, 512, true},
        {{129}, 512, true},
    };
}

// A floating-point number of 16 bits: sign, exponent, FRACTION bits of fraction. MIN_EXPONENT is the exponent of the
// smallest normal number. Conversions go through double, which holds every such number exactly, and round once, half to
// even.
template <int FRACTION, int MIN_EXPONENT>
class ShortFloat {
public:
    ShortFloat() = default;
    explicit ShortFloat(double value) : bits_(Encode(value)) {}
    operator double() const { return Decode(bits_); }

private:
    static constexpr uint32_t SIGN = 0x8000U;
    static constexpr uint32_t ONE = 1U << FRACTION; // one step of the exponent
    static constexpr uint32_t INFINITE = SIGN - ONE;

    static uint16_t Encode(double value)
    {
        const uint32_t sign = std::signbit(value) ? SIGN : 0U;
        uint32_t magnitude = 0U;
        if (std::isnan(value)) {
            magnitude = INFINITE | (ONE >> 1U);
        } else if (std::isinf(value)) {
            magnitude = INFINITE;
        } else if (value != 0.0) {
            // In steps of the last bit; a denormal has the steps of the smallest normal number. Steps that reach the
            // next power of two carry into the exponent, and past the largest number into infinity.
            const int largest = MIN_EXPONENT + static_cast<int>(SIGN / ONE);
            const int exponent = std::max(MIN_EXPONENT, std::min(std::ilogb(value), largest));
            const double steps = std::nearbyint(std::ldexp(std::fabs(value), FRACTION - exponent));
            const double sum = static_cast<double>(exponent - MIN_EXPONENT) * ONE + steps;
            magnitude = sum < INFINITE ? static_cast<uint32_t>(sum) : INFINITE;
        }
        return static_cast<uint16_t>(sign | magnitude);
    }

    static double Decode(uint16_t bits)
    {
        const uint32_t magnitude = bits & (SIGN - 1U);
        const int exponent = static_cast<int>(magnitude / ONE);
        const double fraction = magnitude % ONE;
        double value = 0.0;
        if (magnitude >= INFINITE) {
            value = magnitude == INFINITE ? std::numeric_limits<double>::infinity() :
                                            std::numeric_limits<double>::quiet_NaN();
        } else if (exponent == 0) {
            value = std::ldexp(fraction, MIN_EXPONENT - FRACTION);
        } else {
            value = std::ldexp(fraction + ONE, exponent - 1 + MIN_EXPONENT - FRACTION);
        }
        return (bits & SIGN) != 0U ? -value : value;
    }

    uint16_t bits_ = 0U;
};

using Float16 = ShortFloat<10, -14>;

// What values of a type are compared in, and how far they may be from what is expected.
template <typename Element>
struct TypeInfo;

template <>
struct TypeInfo<float> {
    using Wide = double;
    static double Tolerance() { return 1e-5; }
};

template <>
struct TypeInfo<Float16> {
    using Wide = double;
    static double Tolerance() { return 0.001; }
};

template <typename Element>
using Wide = typename TypeInfo<Element>::Wide;

inline size_t ElementCount(const std::vector<int64_t>& shape)
{
    size_t count = 1;
    for (const int64_t dim : shape) {
        count *= static_cast<size_t>(dim);
    }
    return count;
}

inline std::vector<int64_t> XShape(const TestCase& test)
{
    std::vector<int64_t> shape = test.leading;
    shape.push_back(test.c);
    return shape;
}

inline std::vector<int64_t> BiasShape(const TestCase& test) { return {test.c}; }

template <typename T>
struct Inputs {
    std::vector<T> x;
    std::vector<T> bias;
};

template <typename T>
struct Outputs {
    std::vector<T> y;
};

inline double RandomValue(std::mt19937& generator, double low, double high)
{
    return low + (high - low) * (static_cast<double>(generator()) / static_cast<double>(std::mt19937::max()));
}

template <typename Element>
std::vector<Element> RandomValues(std::mt19937& generator, size_t count, Wide<Element> low, Wide<Element> high)
{
    std::vector<Element> values;
    values.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        values.push_back(static_cast<Element>(RandomValue(generator, low, high)));
    }
    return values;
}

// The same values in every run.
template <typename T>
Inputs<T> MakeInputs(const TestCase& test)
{
    std::mt19937 generator(42);
    Inputs<T> inputs;
    inputs.x = RandomValues<T>(generator, ElementCount(XShape(test)), -2.0, 2.0);
    if (test.hasBias) {
        inputs.bias = RandomValues<T>(generator, ElementCount(BiasShape(test)), -2.0, 2.0);
    }
    return inputs;
}

// What the outputs should be, not rounded to their types.
template <typename T>
struct Expected {
    std::vector<Wide<T>> y;
};

// y = x + bias, in double.
template <typename T>
Expected<T> ComputeExpectedWithBias(const TestCase& test, const Inputs<T>& inputs)
{
    const size_t cSize = static_cast<size_t>(test.c);
    const size_t yCount = ElementCount(XShape(test));
    Expected<T> expected;
    expected.y.resize(yCount);
    for (size_t i = 0U; i < yCount; ++i) {
        const double x = inputs.x[i];
        const double bias = inputs.bias[i % cSize];
        expected.y[i] = x + bias;
    }
    return expected;
}

template <typename T>
Expected<T> ComputeExpectedWithoutBias(const TestCase& test, const Inputs<T>& inputs)
{
    const size_t yCount = ElementCount(XShape(test));
    Expected<T> expected;
    expected.y.resize(yCount);
    for (size_t i = 0U; i < yCount; ++i) {
        const double x = inputs.x[i];
        expected.y[i] = x + 0.0;
    }
    return expected;
}

template <typename T>
Expected<T> ComputeExpected(const TestCase& test, const Inputs<T>& inputs)
{
    if (test.hasBias) {
        return ComputeExpectedWithBias<T>(test, inputs);
    }
    return ComputeExpectedWithoutBias<T>(test, inputs);
}

// Equal infinities agree, and so do two NaN.
inline double RelativeError(double actual, double expected)
{
    if (actual == expected || (std::isnan(actual) && std::isnan(expected))) {
        return 0.0;
    }
    return std::fabs(actual - expected) / (1.0 + std::fabs(expected));
}

// How many elements are not within tolerance * (1 + |expected|). The first of them is printed, the largest error kept.
template <typename Element>
size_t CountWrong(const char* name, const std::vector<Element>& actual, const std::vector<Wide<Element>>& expected,
                  double& largest)
{
    size_t wrong = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        const Wide<Element> value = static_cast<Wide<Element>>(actual[i]);
        const double error = RelativeError(value, expected[i]);
        // Written so that NaN counts as wrong.
        if (error <= TypeInfo<Element>::Tolerance()) {
            largest = std::max(largest, error);
        } else if (++wrong == 1) {
            std::printf("  %s[%zu] is %g, expected %g\n", name, i, static_cast<double>(value),
                        static_cast<double>(expected[i]));
        }
    }
    return wrong;
}

template <typename Item>
std::string Listed(const std::vector<Item>& items)
{
    std::string text;
    for (const Item item : items) {
        text += (text.empty() ? "[" : ", ") + std::to_string(item);
    }
    return text.empty() ? "[]" : text + "]";
}

inline std::string Describe(const TestCase& test)
{
    return Listed(test.leading) + "  c=" + std::to_string(test.c) + "  hasBias=" + (test.hasBias ? "true" : "false");
}

// Compares the outputs of a test with what they should be, and prints how it went. types: of the tensors.
template <typename T>
bool CheckResult(const char* types, const TestCase& test, const Inputs<T>& inputs, const Outputs<T>& outputs)
{
    const Expected<T> expected = ComputeExpected<T>(test, inputs);
    double largest = 0.0;
    size_t wrong = CountWrong("y", outputs.y, expected.y, largest);
    std::printf("%s  %s  largest error %.2e  %s\n", types, Describe(test).c_str(), largest,
                wrong == 0 ? "ok" : (std::to_string(wrong) + " wrong").c_str());
    return wrong == 0;
}
} // namespace bias_scale

#endif // BIAS_SCALE_GOLDEN_H
