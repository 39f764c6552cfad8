// A transport between threads of one process, for tests. As with others, a send
// of many bytes is done when a receive has taken them.

#include "Engine.h"

#include <cstring>

namespace gensyn::communication {

namespace {
struct Request {
  std::byte *to = nullptr;
  const std::byte *from = nullptr;
  uint64_t size = 0;
  bool done = false;
  /// The bytes of a send that is done, or that a fault has changed.
  std::vector<std::byte> copy;
  /// Of a send: the request of its sender.
  std::shared_ptr<Request> sender;
};
using Pointer = std::shared_ptr<Request>;

/// What travels to a rank. One mutex for all ranks is enough for tests.
struct Hub {
  explicit Hub(const ThreadRankOptions &options) : options(options) {}

  const ThreadRankOptions options;
  std::mutex mutex;
  /// By receiver, sender and channel.
  using Key = std::tuple<int, int, int>;
  std::map<Key, std::deque<Pointer>> sent, posted;
};

struct Rank {
  std::shared_ptr<Hub> hub;
  int rank, size;
  /// Requests that are not done, or whose end has not been seen.
  std::map<Request *, Pointer> requests;
  std::string error;
  /// Of each rank.
  std::vector<std::string> hosts;

  int32_t fail(const std::string &message) {
    error = message;
    return 1;
  }

  GensynRequest keep(const Pointer &request) {
    requests[request.get()] = request;
    return request.get();
  }

  static void deliver(Request &receive, Request &send) {
    std::memcpy(receive.to, send.from, receive.size);
    receive.done = true;
    if (send.sender)
      send.sender->done = true;
  }
};

/// Sends of at most this many bytes are done at once.
constexpr uint64_t mostEager = 32 << 10;

Rank &self(void *state) { return *static_cast<Rank *>(state); }

int32_t beginSend(void *state, int32_t to, int32_t channel, const void *bytes,
                  uint64_t size, GensynRequest *request) {
  Rank &rank = self(state);
  using Action = ThreadRankOptions::Action;
  const auto *begin = static_cast<const std::byte *>(bytes);
  Action action = Action::Deliver;
  if (rank.hub->options.fault)
    action = rank.hub->options.fault(rank.rank, to, channel, {begin, size});
  auto send = std::make_shared<Request>();
  auto message = std::make_shared<Request>();
  *request = rank.keep(send);
  message->size = size;
  message->from = begin;
  if (size <= mostEager || action != Action::Deliver) {
    message->copy.assign(begin, begin + size);
    if (action == Action::Corrupt && size)
      message->copy[size / 2] ^= std::byte(1);
    message->from = message->copy.data();
  } else {
    message->sender = send;
  }
  const std::lock_guard lock(rank.hub->mutex);
  send->done = !message->sender;
  if (action == Action::Drop)
    return 0;
  const Hub::Key key(to, rank.rank, channel);
  std::deque<Pointer> &posted = rank.hub->posted[key];
  if (posted.empty()) {
    rank.hub->sent[key].push_back(message);
    return 0;
  }
  if (posted.front()->size != size)
    return rank.fail("a message of another length than its receive");
  Rank::deliver(*posted.front(), *message);
  posted.pop_front();
  return 0;
}

int32_t beginReceive(void *state, int32_t from, int32_t channel, void *bytes,
                     uint64_t size, GensynRequest *request) {
  Rank &rank = self(state);
  auto receive = std::make_shared<Request>();
  *request = rank.keep(receive);
  receive->to = static_cast<std::byte *>(bytes);
  receive->size = size;
  const std::lock_guard lock(rank.hub->mutex);
  const Hub::Key key(rank.rank, from, channel);
  const auto sent = rank.hub->sent.find(key);
  if (sent == rank.hub->sent.end()) {
    rank.hub->posted[key].push_back(receive);
    return 0;
  }
  const Pointer message = sent->second.front();
  if (message->size != size)
    return rank.fail("a receive of another length than its message");
  sent->second.pop_front();
  if (sent->second.empty())
    rank.hub->sent.erase(sent);
  Rank::deliver(*receive, *message);
  return 0;
}

int32_t test(void *state, GensynRequest request, int32_t *done) {
  Rank &rank = self(state);
  const std::lock_guard lock(rank.hub->mutex);
  *done = static_cast<Request *>(request)->done;
  if (*done)
    rank.requests.erase(static_cast<Request *>(request));
  return 0;
}

int32_t cancel(void *state, GensynRequest request) {
  Rank &rank = self(state);
  const std::lock_guard lock(rank.hub->mutex);
  for (auto &[key, receives] : rank.hub->posted)
    if (std::erase_if(receives, [&](const Pointer &receive) {
          return receive.get() == request;
        }))
      static_cast<Request *>(request)->done = true;
  return 0;
}

int32_t probe(void *state, int32_t channel, int32_t *from, uint64_t *size) {
  Rank &rank = self(state);
  const std::lock_guard lock(rank.hub->mutex);
  *from = -1;
  for (int sender = 0; sender < rank.size; ++sender) {
    const auto sent = rank.hub->sent.find({rank.rank, sender, channel});
    if (sent == rank.hub->sent.end())
      continue;
    *from = sender;
    *size = sent->second.front()->size;
    return 0;
  }
  return 0;
}

int32_t finalize(void *state) {
  delete &self(state);
  return 0;
}

GensynTransport makeTransport(const std::shared_ptr<Hub> &hub, int rank,
                              int size) {
  GensynTransport transport;
  std::vector<std::string> hosts;
  for (int other = 0; other < size; ++other) {
    const int perHost = hub->options.ranksPerHost;
    hosts.push_back(perHost ? "host" + std::to_string(other / perHost)
                            : "here");
  }
  transport.state = new Rank{hub, rank, size, {}, "", std::move(hosts)};
  transport.rank = [](void *state) -> int32_t { return self(state).rank; };
  transport.size = [](void *state) -> int32_t { return self(state).size; };
  transport.host = [](void *state, int32_t rank) {
    return self(state).hosts[size_t(rank)].c_str();
  };
  transport.send = beginSend;
  transport.receive = beginReceive;
  transport.test = test;
  transport.cancel = cancel;
  transport.probe = probe;
  // There is no launcher that could end a thread.
  transport.abort = [](void *state, int32_t) { delete &self(state); };
  transport.finalize = finalize;
  transport.error = [](void *state) { return self(state).error.c_str(); };
  return transport;
}
} // namespace

std::vector<std::unique_ptr<Communicator>>
makeThreadRanks(int count, const ThreadRankOptions &options) {
  const auto hub = std::make_shared<Hub>(options);
  std::vector<std::unique_ptr<Communicator>> ranks;
  for (int rank = 0; rank < count; ++rank)
    ranks.push_back(std::make_unique<Communicator>(std::make_unique<Engine>(
        makeTransport(hub, rank, count), options.engine)));
  return ranks;
}

std::vector<std::unique_ptr<Communicator>> makeThreadRanks(int count, int ranksPerHost) {
  ThreadRankOptions options;
  options.ranksPerHost = ranksPerHost;
  return makeThreadRanks(count, options);
}

} // namespace gensyn::communication
