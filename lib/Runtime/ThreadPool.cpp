// Workers that spin for a moment and then sleep: launches follow one another
// within microseconds, waking from a sleep takes tens of them.

#include "gensyn/Runtime/ThreadPool.h"

#include <algorithm>

#include <sched.h>

namespace gensyn::runtime {

static void pauseThread() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
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
  // With more threads than processors, spinning steals from who has work.
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

void ThreadPool::run(int64_t count, Work function, void *argument) {
  if (count <= 0)
    return;
  if (workers.empty() || count == 1) {
    function(argument, 0, 0, count);
    return;
  }
  work = function;
  context = argument;
  tiles = count;
  // Several chunks a thread, so that a late one does not hold up the others.
  chunk = std::max<int64_t>(1, count / (int64_t(size()) * 4));
  next.store(0, std::memory_order_relaxed);
  busy.store(static_cast<uint32_t>(workers.size()), std::memory_order_relaxed);
  generation.fetch_add(1, std::memory_order_release);
  generation.notify_all();
  drain(0);
  for (unsigned spin = 0; spin < spins; ++spin) {
    if (busy.load(std::memory_order_acquire) == 0)
      return;
    pauseThread();
  }
  while (uint32_t left = busy.load(std::memory_order_acquire))
    busy.wait(left, std::memory_order_acquire);
}

void ThreadPool::drain(unsigned thread) {
  for (;;) {
    int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
    if (begin >= tiles)
      return;
    work(context, thread, begin, std::min(tiles, begin + chunk));
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
    drain(thread);
    if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1)
      busy.notify_one();
  }
}

} // namespace gensyn::runtime
