// Generated from op.yaml by opgen.

/*!
 * \file row_cumsum_golden.h
 * \brief Tests, inputs and expected values, shared by the two test programs.
 */

#ifndef ROW_CUMSUM_GOLDEN_H
#define ROW_CUMSUM_GOLDEN_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace row_cumsum {
// number: its files have it in their names.
struct TestCase {
    int64_t number;
    int64_t r;
    int64_t c;
};

inline std::vector<TestCase> TestCases()
{
    return {
        {0, 128, 2048},
        // other sizes
        {1, 1, 2048},
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

inline std::vector<int64_t> XShape(const TestCase& test) { return {test.r, test.c}; }

template <typename T>
struct Inputs {
    std::vector<T> x;
};

template <typename T>
struct Outputs {
    std::vector<T> y;
};

// Where row_cumsum_golden.py wrote the values. The programs take another folder as their argument.
inline std::string& GoldenFolder()
{
    static std::string folder = "row_cumsum_golden";
    return folder;
}

inline std::string GoldenFile(const char* types, const TestCase& test, const char* tensor)
{
    return GoldenFolder() + "/" + std::to_string(test.number) + "." + types + "." + tensor;
}

template <typename Element>
std::vector<Element> ReadValues(const std::string& path, size_t count)
{
    std::vector<Element> values(count);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(Element)))) {
        throw std::runtime_error("cannot read " + path + ", which python3 row_cumsum_golden.py FOLDER writes");
    }
    return values;
}

template <typename T>
Inputs<T> MakeInputs(const char* types, const TestCase& test)
{
    Inputs<T> inputs;
    inputs.x = ReadValues<T>(GoldenFile(types, test, "x.in"), ElementCount(XShape(test)));
    return inputs;
}

// What the outputs should be, not rounded to their types.
template <typename T>
struct Expected {
    std::vector<Wide<T>> y;
};

template <typename T>
Expected<T> ReadExpected(const char* types, const TestCase& test)
{
    Expected<T> expected;
    expected.y = ReadValues<Wide<T>>(GoldenFile(types, test, "y.expected"), ElementCount(XShape(test)));
    return expected;
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

inline std::string Describe(const TestCase& test)
{
    return "r=" + std::to_string(test.r) + "  c=" + std::to_string(test.c);
}

// Compares the outputs of a test with what they should be, and prints how it went. types: of the tensors.
template <typename T>
bool CheckResult(const char* types, const TestCase& test, const Inputs<T>&, const Outputs<T>& outputs)
{
    const Expected<T> expected = ReadExpected<T>(types, test);
    double largest = 0.0;
    size_t wrong = CountWrong("y", outputs.y, expected.y, largest);
    std::printf("%s  %s  largest error %.2e  %s\n", types, Describe(test).c_str(), largest,
                wrong == 0 ? "ok" : (std::to_string(wrong) + " wrong").c_str());
    return wrong == 0;
}
} // namespace row_cumsum

#endif // ROW_CUMSUM_GOLDEN_H
