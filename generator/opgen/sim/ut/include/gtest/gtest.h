// Stand-in for GoogleTest: what unit tests of operators use of it.
#ifndef STANDIN_GTEST_GTEST_H_
#define STANDIN_GTEST_GTEST_H_

#include <cmath>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace testing {
class Test {
 public:
  virtual ~Test() = default;
  static void SetUpTestCase() {}
  static void TearDownTestCase() {}
  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}

  void StandinRun() {
    SetUp();
    TestBody();
    TearDown();
  }

 protected:
  virtual void SetUp() {}
  virtual void TearDown() {}
  virtual void TestBody() = 0;
};

class AssertionResult {
 public:
  explicit AssertionResult(bool good, std::string text = "") : good_(good), text_(std::move(text)) {}
  explicit operator bool() const { return good_; }
  const std::string &text() const { return text_; }

 private:
  bool good_;
  std::string text_;
};
}  // namespace testing

namespace standin {
struct UnitTest {
  std::string name;
  std::function<std::unique_ptr<testing::Test>()> make;
  std::function<void()> begin_suite;
  std::function<void()> end_suite;
};

struct UnitTests {
  std::vector<UnitTest> tests;
  size_t failures = 0U;  // of all tests

  static UnitTests &All() {
    static UnitTests all;
    return all;
  }
  bool Add(UnitTest test) {
    tests.push_back(std::move(test));
    return true;
  }
};

class UnitMessage {
 public:
  template <typename T>
  UnitMessage &operator<<(const T &value) {
    text_ << value;
    return *this;
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

// Its assignment tells a failure, with what the test adds by <<.
class UnitFailure {
 public:
  UnitFailure(const char *file, int line, std::string text) : file_(file), line_(line), text_(std::move(text)) {}
  void operator=(const UnitMessage &message) const {
    ++UnitTests::All().failures;
    std::cout << file_ << ":" << line_ << ": Failure\n" << text_ << message.text() << "\n";
  }

 private:
  const char *file_;
  int line_;
  std::string text_;
};

template <typename T, typename = void>
struct IsPrinted : std::false_type {};
template <typename T>
struct IsPrinted<T, std::void_t<decltype(std::declval<std::ostream &>() << std::declval<const T &>())>>
    : std::true_type {};
template <typename T, typename = void>
struct IsSequence : std::false_type {};
template <typename T>
struct IsSequence<T, std::void_t<decltype(std::declval<const T &>().begin())>> : std::true_type {};

template <typename T>
std::string Printed(const T &value) {
  std::ostringstream text;
  if constexpr (IsPrinted<T>::value) {
    text << value;
  } else if constexpr (IsSequence<T>::value) {
    text << "{ ";
    for (const auto &item : value) {
      text << Printed(item) << " ";
    }
    text << "}";
  } else {
    text << "(" << sizeof(value) << " bytes)";
  }
  return text.str();
}

template <typename A, typename B, typename Compare>
testing::AssertionResult Compared(const char *relation, const char *left, const char *right, const A &a, const B &b,
                                  Compare compare) {
  if (compare(a, b)) {
    return testing::AssertionResult(true);
  }
  return testing::AssertionResult(false, std::string("Expected: ") + left + relation + right +
                                             "\n  Actual: " + Printed(a) + " and " + Printed(b) + "\n");
}

inline testing::AssertionResult IsTrue(bool value, const char *text, bool wanted) {
  return testing::AssertionResult(value == wanted, std::string("Value of: ") + text + "\n");
}

inline int RunUnitTests() {
  const std::vector<UnitTest> &tests = UnitTests::All().tests;
  size_t failed = 0U;
  std::string suite;
  for (size_t i = 0U; i < tests.size(); ++i) {
    const UnitTest &test = tests[i];
    const std::string own = test.name.substr(0U, test.name.find('.'));
    if (own != suite) {
      test.begin_suite();
      suite = own;
    }
    const size_t before = UnitTests::All().failures;
    try {
      test.make()->StandinRun();
    } catch (const std::exception &error) {
      UnitFailure(test.name.c_str(), 0, std::string("exception: ") + error.what()) = UnitMessage();
    }
    const bool passed = UnitTests::All().failures == before;
    failed += passed ? 0U : 1U;
    std::cout << (passed ? "[       OK ] " : "[  FAILED  ] ") << test.name << "\n";
    if (i + 1U == tests.size() || tests[i + 1U].name.substr(0U, tests[i + 1U].name.find('.')) != own) {
      test.end_suite();
    }
  }
  std::cout << "[==========] " << tests.size() << " tests ran, " << failed << " failed\n";
  return failed == 0U && !tests.empty() ? 0 : 1;
}
}  // namespace standin

namespace testing {
inline void InitGoogleTest(int *, char **) {}
}  // namespace testing

#define RUN_ALL_TESTS() standin::RunUnitTests()

#define STANDIN_TEST(suite, name, parent)                                                          \
  class suite##_##name##_Test : public parent {                                                    \
   protected:                                                                                      \
    void TestBody() override;                                                                      \
                                                                                                   \
   private:                                                                                        \
    static const bool added_;                                                                      \
  };                                                                                               \
  const bool suite##_##name##_Test::added_ = standin::UnitTests::All().Add(                        \
      {#suite "." #name, [] { return std::unique_ptr<testing::Test>(new suite##_##name##_Test); }, \
       [] {                                                                                        \
         suite##_##name##_Test::SetUpTestCase();                                                   \
         suite##_##name##_Test::SetUpTestSuite();                                                  \
       },                                                                                          \
       [] {                                                                                        \
         suite##_##name##_Test::TearDownTestSuite();                                               \
         suite##_##name##_Test::TearDownTestCase();                                                \
       }});                                                                                        \
  void suite##_##name##_Test::TestBody()

#define TEST(suite, name) STANDIN_TEST(suite, name, testing::Test)
#define TEST_F(suite, name) STANDIN_TEST(suite, name, suite)

// The switch keeps an else behind the macro where it belongs.
#define STANDIN_ASSERT(leave, result)                                             \
  switch (0)                                                                      \
  case 0:                                                                         \
  default:                                                                        \
    if (const testing::AssertionResult standin_result = (result); standin_result) \
      ;                                                                           \
    else                                                                          \
      leave standin::UnitFailure(__FILE__, __LINE__, standin_result.text()) = standin::UnitMessage()

#define STANDIN_COMPARED(a, b, relation) \
  standin::Compared(" " #relation " ", #a, #b, a, b, [](const auto &x, const auto &y) { return x relation y; })
#define STANDIN_NEAR(a, b, limit) \
  standin::Compared(" near ", #a, #b, a, b, [&](double x, double y) { return std::fabs(x - y) <= (limit); })
#define STANDIN_STREQ(a, b) \
  standin::Compared(" as text ", #a, #b, a, b, [](const char *x, const char *y) { return std::strcmp(x, y) == 0; })

#define EXPECT_EQ(a, b) STANDIN_ASSERT(, STANDIN_COMPARED(a, b, ==))
#define EXPECT_NE(a, b) STANDIN_ASSERT(, STANDIN_COMPARED(a, b, !=))
#define EXPECT_LT(a, b) STANDIN_ASSERT(, STANDIN_COMPARED(a, b, <))
#define EXPECT_LE(a, b) STANDIN_ASSERT(, STANDIN_COMPARED(a, b, <=))
#define EXPECT_GT(a, b) STANDIN_ASSERT(, STANDIN_COMPARED(a, b, >))
#define EXPECT_GE(a, b) STANDIN_ASSERT(, STANDIN_COMPARED(a, b, >=))
#define EXPECT_NEAR(a, b, limit) STANDIN_ASSERT(, STANDIN_NEAR(a, b, limit))
#define EXPECT_STREQ(a, b) STANDIN_ASSERT(, STANDIN_STREQ(a, b))
#define EXPECT_TRUE(value) STANDIN_ASSERT(, standin::IsTrue(static_cast<bool>(value), #value, true))
#define EXPECT_FALSE(value) STANDIN_ASSERT(, standin::IsTrue(static_cast<bool>(value), #value, false))
#define ASSERT_EQ(a, b) STANDIN_ASSERT(return, STANDIN_COMPARED(a, b, ==))
#define ASSERT_NE(a, b) STANDIN_ASSERT(return, STANDIN_COMPARED(a, b, !=))
#define ASSERT_LT(a, b) STANDIN_ASSERT(return, STANDIN_COMPARED(a, b, <))
#define ASSERT_LE(a, b) STANDIN_ASSERT(return, STANDIN_COMPARED(a, b, <=))
#define ASSERT_GT(a, b) STANDIN_ASSERT(return, STANDIN_COMPARED(a, b, >))
#define ASSERT_GE(a, b) STANDIN_ASSERT(return, STANDIN_COMPARED(a, b, >=))
#define ASSERT_NEAR(a, b, limit) STANDIN_ASSERT(return, STANDIN_NEAR(a, b, limit))
#define ASSERT_STREQ(a, b) STANDIN_ASSERT(return, STANDIN_STREQ(a, b))
#define ASSERT_TRUE(value) STANDIN_ASSERT(return, standin::IsTrue(static_cast<bool>(value), #value, true))
#define ASSERT_FALSE(value) STANDIN_ASSERT(return, standin::IsTrue(static_cast<bool>(value), #value, false))
#define ADD_FAILURE() STANDIN_ASSERT(, testing::AssertionResult(false, "Failed\n"))
#define FAIL() STANDIN_ASSERT(return, testing::AssertionResult(false, "Failed\n"))
#define SUCCEED() static_cast<void>(0)

#endif  // STANDIN_GTEST_GTEST_H_
