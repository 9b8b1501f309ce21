// Hands damaged buffers to the Deserialize of an operator.
//
//   deserialize LIBRARY TYPE BUFFER
//
// BUFFER is a file with what Serialize gave. Every damage must be refused, and must change nothing: an object that had
// no kernels has none then, one that had the good ones still has them.
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/custom_op.h"
#include "pull.h"

namespace {
using Bytes = std::vector<uint8_t>;
using Object = std::unique_ptr<ge::BaseCustomOp>;

constexpr size_t kHead = 200U;  // more than the header and what stands before the first kernel
constexpr size_t kRandom = 200U;

std::function<Object()> CreatorOf(void *library, const std::string &type) {
  const auto count = reinterpret_cast<standin::PullCount>(dlsym(library, "GetRegisteredCustomOpCreatorNum"));
  const auto get = reinterpret_cast<standin::PullCreators>(dlsym(library, "GetRegisteredCustomOpCreators"));
  std::vector<standin::PulledCreator> creators(count());
  (void)get(creators.data(), creators.size());
  for (const standin::PulledCreator &creator : creators) {
    if (creator.type == type) {
      return [creator] { return Object(creator.create()); };
    }
  }
  throw std::runtime_error("the library has no " + type);
}

bool Deserialize(const Object &object, const Bytes &bytes) {
  return dynamic_cast<ge::PortableOp &>(*object).Deserialize(bytes) == ge::GRAPH_SUCCESS;
}

// Empty when there is nothing.
Bytes Serialize(const Object &object) {
  Bytes bytes;
  (void)dynamic_cast<ge::PortableOp &>(*object).Serialize(bytes);
  return bytes;
}

std::vector<Bytes> Damages(const Bytes &good) {
  std::mt19937 random(1U);
  std::vector<Bytes> damages;
  const auto flip = [&](size_t position) {
    damages.push_back(good);
    damages.back()[position] ^= static_cast<uint8_t>(1U << (random() % 8U));
  };
  for (size_t i = 0U; i < std::min(kHead, good.size()); ++i) {
    flip(i);
    damages.emplace_back(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (size_t i = 0U; i < kRandom; ++i) {
    flip(random() % good.size());
    damages.emplace_back(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(random() % good.size()));
  }
  damages.push_back(good);
  damages.back().push_back(0U);
  return damages;
}

size_t OpenFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

int Run(const char *path, const std::string &type, const char *buffer) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw std::runtime_error(dlerror());
  }
  const std::function<Object()> create = CreatorOf(library, type);
  std::ifstream file(buffer, std::ios::binary);
  const Bytes good{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const Object loaded = create();
  if (!Deserialize(loaded, good) || Serialize(loaded) != good) {
    throw std::runtime_error("the good buffer is not taken");
  }
  const size_t files = OpenFiles();
  const std::vector<Bytes> damages = Damages(good);
  size_t refused = 0U;
  size_t unchanged = 0U;
  for (const Bytes &damaged : damages) {
    const Object empty = create();
    refused += !Deserialize(empty, damaged) && !Deserialize(loaded, damaged) ? 1U : 0U;
    unchanged += Serialize(empty).empty() && Serialize(loaded) == good ? 1U : 0U;
  }
  std::printf("refused %zu, unchanged %zu of %zu, %zu more files open\n", refused, unchanged, damages.size(),
              OpenFiles() - files);
  return 0;
}
}  // namespace

int main(int argc, char *argv[]) {
  try {
    return argc == 4 ? Run(argv[1], argv[2], argv[3]) : 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
