// Workers spin briefly before they sleep: launches follow one another within
// microseconds, and waking a sleeping thread takes tens of them.

#include "gensyn/Runtime/Support/ThreadPool.h"
#include "gensyn/Numerics/FloatEnvironment.h"

#include <algorithm>

#include <sched.h>

namespace gensyn::runtime {

static void pauseThread() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  // `yield` does nothing on most processors; this takes about as long as a
  // pause of x86.
  __asm__ volatile("isb");
#endif
}

unsigned availableProcessors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0)
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::max(1u, std::thread::hardware_concurrency());
}

ThreadPool::ThreadPool(unsigned threads) {
  unsigned processors = availableProcessors();
  if (threads == 0)
    threads = processors;
  // With more threads than processors, spinning takes time from working
  // threads.
  spins = threads <= processors ? 2000 : 0;
  for (unsigned thread = 1; thread < threads; ++thread)
    workers.emplace_back([this, thread] { serve(thread); });
}

ThreadPool::~ThreadPool() {
  stopping.store(true, std::memory_order_relaxed);
  generation.fetch_add(1, std::memory_order_release);
  generation.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::run(int64_t begin, int64_t limit, Work function,
                     void *argument) {
  int64_t count = limit - begin;
  if (count <= 0)
    return;
  if (workers.empty() || count == 1) {
    function(argument, 0, begin, limit);
    return;
  }
  work = function;
  context = argument;
  end = limit;
  next.store(begin, std::memory_order_relaxed);
  state.store(open, std::memory_order_release);
  generation.fetch_add(1, std::memory_order_release);
  generation.notify_all();
  drain(0);
  // All tiles are claimed: close the run, and wait for the workers that still
  // execute theirs.
  uint32_t left = state.fetch_and(~open, std::memory_order_acq_rel) & ~open;
  for (unsigned spin = 0; left && spin < spins; ++spin) {
    pauseThread();
    left = state.load(std::memory_order_acquire);
  }
  while (left) {
    state.wait(left, std::memory_order_acquire);
    left = state.load(std::memory_order_acquire);
  }
}

void ThreadPool::drain(unsigned thread) {
  // Chunks become smaller towards the end, so that threads finish together
  // although they may begin late or be interrupted. Kernels execute a chunk
  // faster than its tiles one by one.
  const int64_t shares = int64_t(size()) * 2;
  int64_t begin = next.load(std::memory_order_relaxed);
  while (begin < end) {
    const int64_t chunk = std::max<int64_t>(1, (end - begin) / shares);
    if (!next.compare_exchange_weak(begin, begin + chunk,
                                    std::memory_order_relaxed))
      continue;
    work(context, thread, begin, begin + chunk);
    begin = next.load(std::memory_order_relaxed);
  }
}

void ThreadPool::serve(unsigned thread) {
  FloatEnvironment environment;
  uint32_t seen = 0;
  for (;;) {
    for (unsigned spin = 0; spin < spins; ++spin) {
      if (generation.load(std::memory_order_relaxed) != seen)
        break;
      pauseThread();
    }
    generation.wait(seen, std::memory_order_acquire);
    seen = generation.load(std::memory_order_acquire);
    if (stopping.load(std::memory_order_relaxed))
      return;
    uint32_t now = state.load(std::memory_order_relaxed);
    while ((now & open) &&
           !state.compare_exchange_weak(now, now + 1, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
    }
    if (!(now & open))
      continue;
    drain(thread);
    if (state.fetch_sub(1, std::memory_order_release) == 1)
      state.notify_one();
  }
}

} // namespace gensyn::runtime
