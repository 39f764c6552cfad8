#include "TransportThread.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

namespace gensyn::communication {

struct TransportThread::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> function;
  bool stopping = false;

  void serve() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return function || stopping; });
      if (!function)
        return;
      lock.unlock();
      function();
      lock.lock();
      function = nullptr;
      changed.notify_all();
    }
  }
};

TransportThread::TransportThread() : state(std::make_shared<State>()) {
  // Signals are for the caller's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([state = state] { state->serve(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TransportThread::~TransportThread() {
  const std::lock_guard lock(state->mutex);
  state->stopping = true;
  state->changed.notify_all();
}

bool TransportThread::run(double seconds, std::function<void()> function) {
  std::unique_lock lock(state->mutex);
  if (state->function)
    return false;
  state->function = std::move(function);
  state->changed.notify_all();
  return state->changed.wait_for(lock, std::chrono::duration<double>(seconds),
                                 [&] { return !state->function; });
}

} // namespace gensyn::communication
