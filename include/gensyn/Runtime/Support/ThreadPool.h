// A thread pool that executes the tiles of one launch at a time.
#ifndef GENSYN_RUNTIME_SUPPORT_THREADPOOL_H
#define GENSYN_RUNTIME_SUPPORT_THREADPOOL_H

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace gensyn::runtime {

/// A fixed number of threads, including the caller of run(). Free threads claim
/// chunks of tiles, so the assignment of tiles to threads varies between runs,
/// and results must not depend on it.
class ThreadPool {
public:
  /// `work(context, thread, begin, end)` executes the tiles [begin, end) on the
  /// thread with number `thread`. It must not throw.
  using Work = void (*)(void *context, unsigned thread, int64_t begin,
                        int64_t end);

  /// 0 threads: as many as the process may use.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const { return static_cast<unsigned>(workers.size()) + 1; }

  /// Executes the tiles [begin, end) and returns when all are done. Only one
  /// caller at a time.
  void run(int64_t begin, int64_t end, Work work, void *context);

private:
  void serve(unsigned thread);
  void drain(unsigned thread);

  std::vector<std::thread> workers;
  unsigned spins = 0;
  // The current run: written while the run is closed and no worker
  // participates.
  Work work = nullptr;
  void *context = nullptr;
  int64_t end = 0;
  std::atomic<int64_t> next{0};
  /// Number of workers in the current run, and the bit `open` while others may
  /// join. A worker that wakes too late is not waited for.
  std::atomic<uint32_t> state{0};
  static constexpr uint32_t open = 1u << 31;
  /// Counts runs; a change wakes the workers.
  std::atomic<uint32_t> generation{0};
  std::atomic<bool> stopping{false};
};

/// Returns the number of processors that this process may use, at least 1.
unsigned availableProcessors();

} // namespace gensyn::runtime

#endif
