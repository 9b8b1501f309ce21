#include "memory.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <mutex>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace standin {
namespace {
constexpr size_t kAlignment = 64U;
constexpr size_t kGuardBefore = 64U;
constexpr unsigned char kGuardByte = 0xC5U;

// A page with the size, pages with the memory at their end, a page that nobody may touch:
//
//   |size ... guard|guard, memory, guard|no access|
struct Block {
  unsigned char *start;
  size_t size;    // of the memory
  size_t pages;   // bytes of the pages with the memory
  size_t before;  // where the memory begins in them

  unsigned char *memory() const;
  unsigned char *end() const;  // of the memory's guard: where the last page begins
  size_t whole() const;
};

size_t PageSize() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

size_t RoundUp(size_t size, size_t unit) {
  return (size + unit - 1U) / unit * unit;
}

unsigned char *Block::memory() const {
  return start + PageSize() + before;
}
unsigned char *Block::end() const {
  return start + PageSize() + pages;
}
size_t Block::whole() const {
  return pages + 2U * PageSize();
}

Block BlockFor(size_t size) {
  const size_t room = RoundUp(size, kAlignment);
  const size_t pages = RoundUp(room, PageSize());
  return {nullptr, size, pages, pages - room};
}

Block BlockOf(void *memory) {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  auto *start = reinterpret_cast<unsigned char *>(address / PageSize() * PageSize()) - PageSize();
  size_t size = 0U;
  std::memcpy(&size, start, sizeof(size));
  Block block = BlockFor(size);
  block.start = start;
  return block;
}

// The pages that nobody may touch, for the message when somebody does.
struct Fences {
  std::mutex mutex;
  std::map<const unsigned char *, size_t> sizes;  // of the memory before the page
};

Fences &TheFences() {
  static auto *fences = new Fences;
  return *fences;
}

void SayWhatWasTouched(int, siginfo_t *info, void *) {
  Fences &fences = TheFences();
  const auto *address = static_cast<const unsigned char *>(info->si_addr);
  const std::unique_lock<std::mutex> lock(fences.mutex, std::try_to_lock);
  if (lock.owns_lock()) {
    const auto after = fences.sizes.upper_bound(address);
    if (after != fences.sizes.begin() && address < std::prev(after)->first + PageSize()) {
      std::array<char, 128U> text{};
      const int size =
          std::snprintf(text.data(), text.size(), "[stand-in] something goes on after the %zu bytes of a tensor\n",
                        std::prev(after)->second);
      (void)!write(STDERR_FILENO, text.data(), static_cast<size_t>(size));
    }
  }
  (void)signal(SIGSEGV, SIG_DFL);  // the instruction is tried again, and ends the process
}

void WatchFaults() {
  struct sigaction action{};
  if (sigaction(SIGSEGV, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
    action.sa_sigaction = SayWhatWasTouched;
    action.sa_flags = SA_SIGINFO;
    (void)sigaction(SIGSEGV, &action, nullptr);
  }
}

bool IsGuard(const unsigned char *begin, const unsigned char *end) {
  return std::all_of(begin, end, [](unsigned char byte) { return byte == kGuardByte; });
}
}  // namespace

void *AllocateGuarded(size_t size) {
  static std::once_flag watched;
  std::call_once(watched, WatchFaults);
  if (size > std::numeric_limits<size_t>::max() / 2U) {
    throw std::bad_alloc();
  }
  Block block = BlockFor(size);
  void *start = mmap(nullptr, block.whole(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) {
    throw std::bad_alloc();
  }
  block.start = static_cast<unsigned char *>(start);
  std::memset(block.start, kGuardByte, PageSize() + block.before);
  std::memset(block.memory() + size, kGuardByte, static_cast<size_t>(block.end() - block.memory()) - size);
  std::memcpy(block.start, &size, sizeof(size));
  if (mprotect(block.end(), PageSize(), PROT_NONE) != 0) {
    (void)munmap(start, block.whole());
    throw std::bad_alloc();
  }
  ASAN_POISON_MEMORY_REGION(block.memory() + size, static_cast<size_t>(block.end() - block.memory()) - size);
  Fences &fences = TheFences();
  const std::lock_guard<std::mutex> lock(fences.mutex);
  fences.sizes[block.end()] = size;
  return block.memory();
}

bool GuardsAreWhole(void *memory, const char *what) {
  const Block block = BlockOf(memory);
  const unsigned char *data = block.memory();
  const auto after = static_cast<size_t>(block.end() - data) - block.size;
  ASAN_UNPOISON_MEMORY_REGION(data + block.size, after);
  const bool whole = IsGuard(data - kGuardBefore, data) && IsGuard(data + block.size, block.end());
  ASAN_POISON_MEMORY_REGION(data + block.size, after);
  if (!whole) {
    std::cerr << "[stand-in] something was written beside the " << block.size << " bytes of " << what << "\n";
  }
  return whole;
}

void FreeGuarded(void *memory) {
  if (memory == nullptr) {
    return;
  }
  const Block block = BlockOf(memory);
  ASAN_UNPOISON_MEMORY_REGION(block.memory(), block.pages - block.before);
  {
    Fences &fences = TheFences();
    const std::lock_guard<std::mutex> lock(fences.mutex);
    fences.sizes.erase(block.end());
  }
  (void)munmap(block.start, block.whole());
}
}  // namespace standin
