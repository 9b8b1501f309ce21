// Cores that wait for each other: a thread for each, of which one runs at a time.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ascend {

// The cores that wait for each other: those of a block, or of the whole launch.
struct Exchange {
  static constexpr int kFlags = 16;

  struct Meeting {
    int64_t alive = 0, arrived = 0, turn = 0;
  };
  // Flags that are set and not waited for yet: from the cube core to each vector core, and back.
  struct Block {
    Meeting meeting;
    int64_t to_vector[2][kFlags] = {}, to_cube[2][kFlags] = {};
    int subs = 0;
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Block> blocks;
  Meeting everyone;
  std::vector<std::function<bool()> *> waiting;
  int64_t cores = 0, finished = 0;
  int64_t first_block = 0;

  Block &of(const Core &core) { return blocks[(size_t)(core.block - first_block)]; }

  void check_progress(const char *what) {
    if ((int64_t)waiting.size() + finished < cores) return;
    for (auto *ready : waiting)
      if ((*ready)()) return;
    fprintf(stderr, "opgen: kernel hangs: every core that has not finished waits, one of them in %s\n", what);
    abort();
  }

  void wait(std::unique_lock<std::mutex> &lock, const char *what, std::function<bool()> ready) {
    if (ready()) return;
    waiting.push_back(&ready);
    check_progress(what);
    changed.wait(lock, ready);
    for (size_t i = 0; i < waiting.size(); i++)
      if (waiting[i] == &ready) waiting.erase(waiting.begin() + (int64_t)i);
  }

  void arrive(std::unique_lock<std::mutex> &lock, Meeting &meeting, const char *what) {
    const int64_t turn = meeting.turn;
    meeting.arrived++;
    if (!release(meeting)) wait(lock, what, [&meeting, turn] { return meeting.turn != turn; });
  }

  bool release(Meeting &meeting) {
    if (meeting.arrived == 0 || meeting.arrived < meeting.alive) return false;
    meeting.arrived = 0;
    meeting.turn++;
    changed.notify_all();
    return true;
  }

  void finish(const Core &core) {
    finished++;
    Block &block = of(core);
    block.meeting.alive--;
    everyone.alive--;
    release(block.meeting);
    release(everyone);
    if (!waiting.empty()) check_progress("a wait that nothing ends any more");
  }
};

struct TalkingCore : Core {
  Exchange *exchange;
  std::unique_lock<std::mutex> *lock;
};

// Before each copy through a workspace, where the compiler orders what different cores do there: all cores of the block
// come to it, so that the copies happen in the order of the text.
inline int32_t meet(void *core) {
#ifdef OPGEN_IN_ORDER
  TalkingCore &self = *(TalkingCore *)core;
  self.exchange->arrive(*self.lock, self.exchange->of(self).meeting, "a copy through a workspace");
#else
  (void)core;
#endif
  return 0;
}

inline int32_t sync_all(void *core) {
  TalkingCore &self = *(TalkingCore *)core;
  self.exchange->arrive(*self.lock, self.exchange->everyone, "T.sync_all");
  return 0;
}

inline int32_t set_cross_flag(void *core, int32_t flag) {
  TalkingCore &self = *(TalkingCore *)core;
  Exchange::Block &block = self.exchange->of(self);
  const int at = flag & (Exchange::kFlags - 1);
  if (self.roles & VECTOR)
    block.to_cube[self.sub][at]++;
  else
    for (int sub = 0; sub < block.subs; sub++) block.to_vector[sub][at]++;
  self.exchange->changed.notify_all();
  return 0;
}

inline int32_t wait_cross_flag(void *core, int32_t flag) {
  TalkingCore &self = *(TalkingCore *)core;
  Exchange::Block &block = self.exchange->of(self);
  const int at = flag & (Exchange::kFlags - 1);
  if (self.roles & VECTOR) {
    int64_t &set = block.to_vector[self.sub][at];
    self.exchange->wait(*self.lock, "T.wait_cross_flag", [&set] { return set > 0; });
    set--;
  } else {
    self.exchange->wait(*self.lock, "T.wait_cross_flag", [&block, at] {
      for (int sub = 0; sub < block.subs; sub++)
        if (block.to_cube[sub][at] <= 0) return false;
      return true;
    });
    for (int sub = 0; sub < block.subs; sub++) block.to_cube[sub][at]--;
  }
  return 0;
}

template <class Kernel>
void run_blocks(int64_t first, int64_t count, int roles, int subs, Launch &launch, Kernel kernel) {
  Exchange exchange;
  exchange.blocks.resize((size_t)count);
  exchange.first_block = first;
  std::vector<TalkingCore> cores;
  for (int64_t block = first; block < first + count; block++) {
    auto add = [&](int sub, int role) {
      TalkingCore core;
      (Core &)core = Core{&launch, (int32_t)block, sub, role, false};
      core.exchange = &exchange;
      cores.push_back(core);
    };
    if (roles & CUBE) add(0, CUBE);
    if (roles & VECTOR)
      for (int sub = 0; sub < subs; sub++) add(sub, VECTOR);
    exchange.blocks[(size_t)(block - first)].subs = roles & VECTOR ? subs : 0;
  }
  exchange.cores = exchange.everyone.alive = (int64_t)cores.size();
  for (TalkingCore &core : cores) exchange.of(core).meeting.alive++;
  std::vector<std::thread> threads;
  for (TalkingCore &core : cores)
    threads.emplace_back([&exchange, &core, &kernel] {
      std::unique_lock<std::mutex> lock(exchange.mutex);
      core.lock = &lock;
      kernel(core);
      exchange.finish(core);
    });
  for (std::thread &thread : threads) thread.join();
}

}  // namespace ascend
