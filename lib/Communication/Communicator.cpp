// The public calls, and texts to all ranks.

#include "gensyn/Communication/Communicator.h"

#include "Engine.h"

#include <cstring>

namespace gensyn::communication {

Communicator::Communicator(std::unique_ptr<Engine> engine)
    : engine(std::move(engine)) {}

Communicator::~Communicator() = default;

int Communicator::rank() const { return engine->rank; }
int Communicator::size() const { return engine->size; }

const std::string &Communicator::host(int rank) const {
  return engine->host(rank);
}

std::string Communicator::describe(int rank) const {
  return engine->describe(rank);
}

/// Runs a function, and adds its time to what this rank waited.
template <class Function> auto Communicator::timed(Function function) {
  struct Timer {
    Communicator &own;
    Clock::time_point start = Clock::now();
    ~Timer() {
      const Clock::time_point end = Clock::now();
      own.engine->addWaiting(
          std::chrono::duration<double>(end - start).count());
      if (own.observer)
        own.observer(start, end);
    }
  } timer{*this};
  return function();
}

bool Transfer::hasEnded() const noexcept {
  return !state || state->done.load(std::memory_order_acquire);
}

Transfer Communicator::send(int to, uint32_t tag,
                            std::span<const std::byte> bytes) {
  return Transfer(engine->send(Kind::Message, to, tag, bytes));
}

Transfer Communicator::receive(int from, uint32_t tag,
                               std::span<std::byte> bytes) {
  return Transfer(engine->receive(from, tag, bytes));
}

Transfer Communicator::sendAfter(std::span<const Transfer> receiving, int to,
                                 uint32_t tag,
                                 std::span<const std::byte> bytes) {
  std::vector<TransferState *> states;
  for (const Transfer &one : receiving) {
    if (!one.state)
      throw Failure(ExitCode::Bug, "a send after no transfer");
    states.push_back(one.state.get());
  }
  return Transfer(engine->sendAfter(states, to, tag, bytes));
}

bool Communicator::isDone(const Transfer &transfer) const noexcept {
  return !transfer.state || engine->isDone(*transfer.state);
}

void Communicator::wait(const Transfer &transfer) {
  if (transfer.state && !transfer.state->done.load(std::memory_order_acquire))
    timed([&] { engine->wait(*transfer.state); });
}

/// Appends a text with its length.
static void append(std::string &bytes, const std::string &text) {
  const uint64_t size = text.size();
  bytes.append(reinterpret_cast<const char *>(&size), sizeof(size));
  bytes += text;
}

/// Appends the texts of a message, as many as are expected.
static bool split(const std::string &bytes, size_t count,
                  std::vector<std::string> &texts) {
  size_t at = 1;
  for (; count; --count) {
    uint64_t size = 0;
    if (bytes.size() - at < sizeof(size))
      return false;
    std::memcpy(&size, bytes.data() + at, sizeof(size));
    at += sizeof(size);
    if (bytes.size() - at < size)
      return false;
    texts.push_back(bytes.substr(at, size));
    at += size;
  }
  return at == bytes.size();
}

/// In each round a rank passes on what it has, and so knows the texts of twice
/// as many ranks that follow it: log2(size) rounds.
std::vector<std::string> Communicator::exchange(char operation,
                                                const std::string &mine) {
  const int rank = this->rank(), size = this->size();
  std::vector<std::string> known{mine};
  for (int distance = 1; distance < size; distance *= 2) {
    const int count = std::min(distance, size - distance);
    const int from = (rank + distance) % size;
    const int to = (rank + size - distance) % size;
    std::string bytes(1, operation), arrived;
    for (int text = 0; text < count; ++text)
      append(bytes, known[text]);
    const uint32_t tag = engine->nextText++;
    const Transfer receiving(engine->receiveText(from, tag, arrived));
    const Transfer sending(
        engine->send(Kind::Text, to, tag, std::as_bytes(std::span(bytes))));
    if (receiving.state)
      engine->wait(*receiving.state);
    if (sending.state)
      engine->wait(*sending.state);
    if (arrived.empty() || arrived[0] != operation ||
        !split(arrived, count, known)) {
      Failure failure(ExitCode::Bug,
                      describe(from) + " is in another call than this rank: " +
                          arrived.substr(0, 1) + ", expected " + operation);
      engine->report(failure);
      throw failure;
    }
  }
  // known[i] is of the rank i places behind this one.
  std::vector<std::string> texts(size);
  for (int place = 0; place < size; ++place)
    texts[(rank + place) % size] = std::move(known[place]);
  return texts;
}

std::vector<std::string> Communicator::gather(const std::string &mine) {
  return timed([&] { return exchange('g', mine); });
}

std::string Communicator::broadcast(const std::string &text, int root) {
  if (root < 0 || root >= size())
    throw Failure(ExitCode::Bug, "a broadcast of rank " + std::to_string(root) +
                                     " of " + std::to_string(size()));
  return timed([&] {
    return std::move(exchange('b', rank() == root ? text : "")[root]);
  });
}

void Communicator::barrier() {
  timed([&] { return exchange('s', ""); });
}

void Communicator::reportFailure(const Failure &failure) noexcept {
  engine->report(failure);
}

std::optional<PeerFailure> Communicator::failure() const {
  return engine->lowestFailure();
}

void Communicator::finish() {
  engine->prepareFinish();
  timed([&] { return exchange('f', ""); });
  engine->finish();
}

Statistics Communicator::statistics() const { return engine->statistics(); }

void Communicator::observeWaits(WaitObserver given) {
  observer = std::move(given);
}

} // namespace gensyn::communication
