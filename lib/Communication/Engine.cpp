// Calls of the engine, and the thread that moves bytes beside them.

#include "Engine.h"

#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <sys/prctl.h>

namespace gensyn::communication {

namespace {
using std::chrono::microseconds;

/// How often to look for progress: for a while again and again, so that a short
/// exchange is quick, then ever more rarely. Yields, since there may be more
/// ranks than processors.
class Backoff {
public:
  explicit Backoff(microseconds longest) : longest(longest) {}

  void reset() {
    start = Clock::now();
    pauses = 0;
  }

  void pause(std::unique_lock<std::mutex> &lock,
             std::condition_variable &changed) {
    if (!pauses && Clock::now() - start < spinning) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
      return;
    }
    const int doublings = std::min(pauses++ / 8, 16);
    changed.wait_for(lock, std::min(microseconds(50 << doublings), longest));
  }

private:
  /// As long as a sleep takes on virtual machines, where it is the longest:
  /// otherwise one rank that sleeps would make the next one sleep.
  static constexpr microseconds spinning{200};
  const microseconds longest;
  Clock::time_point start = Clock::now();
  int pauses = 0;
};

constexpr microseconds busyPause{200};
/// A rank with nothing in flight looks this often for failures of others.
constexpr microseconds idlePause{10000};
/// After the last transfer others are likely to follow.
constexpr microseconds lingering{5000};
} // namespace

Engine::Engine(const GensynTransport &transport, const EngineOptions &options)
    : rank(transport.rank(transport.state)),
      size(transport.size(transport.state)), transport(transport), hosts(size),
      options(options), peers(size), sends(size, mostMoving, mostOfPeer),
      receives(size, mostMoving, mostOfPeer), nextHeartbeat(now()),
      lastPass(now()) {
  for (int rank = 0; rank < size; ++rank)
    if (const char *host = transport.host(transport.state, rank))
      hosts[rank] = host;
  if (!options.inCalls)
    start();
}

void Engine::start() {
  // Signals are for the caller's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread = std::thread([this] { serve(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Engine::~Engine() {
  if (!left)
    close();
  std::unique_lock lock(mutex);
  stop(lock);
  endTransfers();
}

/// Nothing moves any more, and handles of transfers may live longer.
void Engine::endTransfers() noexcept {
  const auto end = [](TransferState &state) {
    state.done = true;
    for (const auto &send : state.followers)
      send->done = true;
  };
  for (const auto &state : abandoned)
    end(*state);
  for (const auto &[key, states] : posted)
    for (const auto &state : states)
      end(*state);
  forSends(end);
  receives.forAll(end);
}

std::string Engine::describe(int rank) const {
  std::string text = "rank " + std::to_string(rank);
  return hosts[rank].empty() ? text : text + " (" + hosts[rank] + ")";
}

void Engine::setHosts(std::vector<std::string> names) {
  const std::lock_guard lock(mutex);
  hosts = std::move(names);
}

/// Ends the thread, after the last pass.
void Engine::stop(std::unique_lock<std::mutex> &lock) {
  stopping = true;
  lock.unlock();
  work.notify_all();
  if (thread.joinable())
    thread.join();
}

Clock::time_point Engine::now() const {
  return options.inCalls ? options.inCalls->now() : Clock::now();
}

double Engine::secondsSince(Clock::time_point start) const {
  return std::chrono::duration<double>(now() - start).count();
}

/// Lets others run for a moment, without the mutex.
void Engine::pause(std::unique_lock<std::mutex> &lock) {
  if (!options.inCalls) {
    changed.wait_for(lock, microseconds(200));
    return;
  }
  lock.unlock();
  options.inCalls->pause();
  lock.lock();
}

bool Engine::isDone(const TransferState &state) noexcept {
  const auto ended = [&] {
    return state.done.load(std::memory_order_acquire) || broken;
  };
  if (!ended() && options.inCalls) {
    const std::lock_guard lock(mutex);
    // Who asks for many transfers at once needs one pass.
    if (now() != lastPass)
      progress();
  }
  return ended();
}

void Engine::serve() {
  prctl(PR_SET_TIMERSLACK, 1000ul);
  std::unique_lock lock(mutex);
  Backoff backoff(busyPause);
  Clock::time_point last = Clock::now();
  while (!stopping) {
    // Threads in wait() look for progress themselves.
    if (waiters) {
      work.wait_for(lock, microseconds(1000));
      continue;
    }
    const bool moved = progress();
    if (moved) {
      changed.notify_all();
      backoff.reset();
    }
    if (moved || inFlight())
      last = Clock::now();
    if (Clock::now() - last < lingering) {
      backoff.pause(lock, work);
    } else if (!stopping) {
      idle = true;
      work.wait_for(lock, idlePause);
      idle = false;
    }
  }
}

/// After a call that begins a transfer, with the mutex.
void Engine::wake() {
  if (idle)
    work.notify_all();
}

void Engine::checkRank(int peer) const {
  if (peer < 0 || peer >= size)
    throw Failure(ExitCode::Bug, "a message with rank " + std::to_string(peer) +
                                     " of " + std::to_string(size));
}

/// Of the next message to a rank.
Header Engine::nextHeader(Kind kind, int to, uint32_t tag, uint64_t size) {
  if (kind == Kind::Message) {
    ++figures.messagesSent;
    figures.bytesSent += size;
  }
  Header header;
  header.kind = kind;
  header.sequence = peers[to].nextSent++;
  header.tag = tag;
  header.size = size;
  return header;
}

std::shared_ptr<TransferState> Engine::send(Kind kind, int to, uint32_t tag,
                                            std::span<const std::byte> bytes) {
  checkRank(to);
  std::shared_ptr<TransferState> state;
  {
    const std::lock_guard lock(mutex);
    throwIfBroken();
    Header header = nextHeader(kind, to, tag, bytes.size());
    if (bytes.size() <= mostShort) {
      header.checksum = checksumOf(bytes.data(), bytes.size());
      guard([&] { sendHeader(to, header, bytes); });
    } else {
      state = std::make_shared<TransferState>();
      state->peer = to;
      state->tag = tag;
      state->bytes = const_cast<std::byte *>(bytes.data());
      state->size = bytes.size();
      state->sequence = header.sequence;
      guard([&] { beginLong(state, header); });
    }
    wake();
  }
  return state;
}

std::shared_ptr<TransferState>
Engine::sendAfter(std::span<TransferState *const> receiving, int to,
                  uint32_t tag, std::span<const std::byte> bytes) {
  checkRank(to);
  auto state = std::make_shared<TransferState>();
  state->peer = to;
  state->tag = tag;
  state->bytes = const_cast<std::byte *>(bytes.data());
  state->size = bytes.size();
  const std::lock_guard lock(mutex);
  throwIfBroken();
  for (TransferState *one : receiving)
    if (!one->done) {
      one->followers.push_back(state);
      ++state->awaited;
    }
  if (state->awaited == 0)
    guard([&] { beginAwaiting(state); });
  wake();
  return state;
}

/// Begins a send that nothing is awaited for any more.
void Engine::beginAwaiting(const std::shared_ptr<TransferState> &state) {
  Header header =
      nextHeader(Kind::Message, state->peer, state->tag, state->size);
  state->sequence = header.sequence;
  if (state->size > mostShort)
    return beginLong(state, header);
  header.checksum = checksumOf(state->bytes, state->size);
  sendHeader(state->peer, header, {state->bytes, state->size});
  state->done.store(true, std::memory_order_release);
}

std::shared_ptr<TransferState> Engine::receive(int from, uint32_t tag,
                                               std::span<std::byte> bytes) {
  return begin(from, Kind::Message, tag, bytes, nullptr);
}

std::shared_ptr<TransferState> Engine::receiveText(int from, uint32_t tag,
                                                   std::string &text) {
  return begin(from, Kind::Text, tag, {}, &text);
}

std::shared_ptr<TransferState> Engine::begin(int from, Kind kind, uint32_t tag,
                                             std::span<std::byte> bytes,
                                             std::string *text) {
  checkRank(from);
  auto state = std::make_shared<TransferState>();
  state->peer = from;
  state->tag = tag;
  state->bytes = bytes.data();
  state->size = bytes.size();
  state->text = text;
  {
    const std::lock_guard lock(mutex);
    throwIfBroken();
    const Key key(from, kind, tag);
    if (auto found = unexpected.find(key); found != unexpected.end()) {
      Arrived arrived = std::move(found->second.front());
      found->second.pop_front();
      if (found->second.empty())
        unexpected.erase(found);
      guard([&] { match(state, arrived); });
    } else {
      posted[key].push_back(state);
    }
    wake();
  }
  return state;
}

void Engine::wait(TransferState &state) {
  if (state.done.load(std::memory_order_acquire))
    return;
  std::unique_lock lock(mutex);
  // Others may have made progress before this thread had the mutex.
  Backoff backoff(busyPause);
  ++waiters;
  struct Leave {
    int &waiters;
    ~Leave() { --waiters; }
  } leave{waiters};
  for (;;) {
    if (progress()) {
      changed.notify_all();
      backoff.reset();
    }
    if (state.done.load(std::memory_order_relaxed))
      return;
    throwIfBroken();
    if (options.inCalls)
      pause(lock);
    else
      backoff.pause(lock, changed);
  }
}

void Engine::prepareFinish() {
  const std::lock_guard lock(mutex);
  finishing = true;
}

void Engine::finish() {
  std::unique_lock lock(mutex);
  // Heartbeats to the next rank go on until every rank is here; the last header
  // tells it that none follows.
  finished = true;
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  Header header;
  header.kind = Kind::Closing;
  guard([&] { sendHeader(next, header); });
  Backoff backoff(busyPause);
  for (;;) {
    progress();
    throwIfBroken();
    // A failure is thrown a little later.
    if (!failed && peers[previous].closed && busyPeers.empty() &&
        waiting.empty() && sends.empty())
      break;
    if (options.inCalls)
      pause(lock);
    else
      backoff.pause(lock, changed);
  }
  unusable = true;
  stop(lock);
  left = true;
  int32_t status = 0;
  if (!finalize(status))
    throw Failure(ExitCode::OutOfResources,
                  "the other ranks did not end within " +
                      secondsText(options.timeout));
  if (status)
    throw Failure(ExitCode::OutOfResources, transport.error(transport.state));
}

/// Returns false if another rank does not do the same.
bool Engine::finalize(int32_t &status) {
  if (!options.opener) {
    status = transport.finalize(transport.state);
    return true;
  }
  const auto result = std::make_shared<int32_t>(0);
  const bool ended =
      options.opener->run(options.timeout, [result, transport = transport] {
        *result = transport.finalize(transport.state);
      });
  if (ended)
    status = *result;
  return ended;
}

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g s", seconds);
  return text;
}

void Engine::addWaiting(double seconds) {
  const std::lock_guard lock(mutex);
  figures.secondsWaiting += seconds;
}

Statistics Engine::statistics() const {
  const std::lock_guard lock(mutex);
  return figures;
}

} // namespace gensyn::communication
