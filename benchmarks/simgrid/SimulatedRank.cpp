// See SimulatedRank.h.

#include "SimulatedRank.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace gensyn::simulation {

namespace sg = simgrid::s4u;

static std::unordered_map<long, SimulatedRank *> &ranksOfActors() {
  static std::unordered_map<long, SimulatedRank *> ranks;
  return ranks;
}

SimulatedRank::SimulatedRank(int number, Ranks &ranks, Network &network,
                             const Costs &costs)
    : number(number), ranks(ranks), network(network), given(costs),
      lastHeader(network.hosts().size()),
      host(network.machineOf(number)) {}

SimulatedRank &SimulatedRank::current() {
  return *ranksOfActors().at(sg::this_actor::get_pid());
}

void SimulatedRank::begin() {
  actor = sg::Actor::self();
  ranksOfActors()[sg::this_actor::get_pid()] = this;
}

void SimulatedRank::wake() {
  hasNews = true;
  if (isAsleep)
    actor->resume();
}

void SimulatedRank::pause() {
  if (const double busy = std::exchange(debt, 0); busy > 0)
    sg::this_actor::sleep_for(busy);
  // A pass that only asked finds nothing else until there is news.
  if (std::exchange(hasWorked, false))
    return;
  while (!hasNews) {
    isAsleep = true;
    sg::this_actor::suspend();
    isAsleep = false;
  }
  hasNews = false;
}

void SimulatedRank::wakeAt(double date) {
  callAt(date, [this] { wake(); });
}

void SimulatedRank::sendHeader(int to, const void *bytes, uint64_t size,
                               Request *request) {
  end(*request); // it is copied
  const auto *begin = static_cast<const std::byte *>(bytes);
  SimulatedRank *receiver = ranks[size_t(to)].get();
  double &last = receiver->lastHeader[size_t(number)];
  last = std::max(last, sg::Engine::get_clock() + debt +
                            network.timeAlone(number, to, size));
  // Calls of one date have no order.
  receiver->travelling[number].push_back({begin, begin + size});
  callAt(last, [receiver, from = number] {
    auto &next = receiver->travelling[from];
    receiver->headers.push_back({from, std::move(next.front())});
    next.pop_front();
    receiver->wake();
  });
}

void SimulatedRank::match(int from, int channel, uint64_t size) {
  const auto place = waiting.find({from, channel});
  Waiting &both = place->second;
  if (both.sends.empty() || both.receives.empty())
    return;
  Request *sent = both.sends.front(), *received = both.receives.front();
  both.sends.pop_front();
  both.receives.pop_front();
  if (both.sends.empty() && both.receives.empty())
    waiting.erase(place);
  SimulatedRank *sender = ranks[size_t(from)].get();
  const double told =
      sg::Engine::get_clock() + debt + network.latency(number, from);
  callAt(told, [=, this] {
    network.transfer(from, number, size, [=, this] {
      sender->end(*sent);
      end(*received);
      sender->wake();
      wake();
    });
  });
}

static SimulatedRank &self(void *state) {
  return *static_cast<SimulatedRank *>(state);
}

GensynTransport SimulatedRank::transport() {
  GensynTransport made;
  made.state = this;
  made.rank = [](void *state) -> int32_t { return self(state).number; };
  made.size = [](void *state) -> int32_t {
    return int32_t(self(state).ranks.size());
  };
  made.host = [](void *state, int32_t rank) -> const char * {
    return rank == self(state).number ? self(state).host.c_str() : nullptr;
  };
  made.send = [](void *state, int32_t to, int32_t channel, const void *bytes,
                 uint64_t size, GensynRequest *request) -> int32_t {
    SimulatedRank &own = self(state);
    auto *begun = new Request;
    *request = begun;
    own.charge(own.given.call);
    if (channel == 0) {
      own.sendHeader(to, bytes, size, begun);
      return 0;
    }
    SimulatedRank &receiver = *own.ranks[size_t(to)];
    receiver.waiting[{own.number, channel}].sends.push_back(begun);
    receiver.match(own.number, channel, size);
    return 0;
  };
  made.receive = [](void *state, int32_t from, int32_t channel, void *bytes,
                    uint64_t size, GensynRequest *request) -> int32_t {
    SimulatedRank &own = self(state);
    auto *begun = new Request;
    *request = begun;
    own.charge(own.given.call);
    if (channel == 0) {
      std::memcpy(bytes, own.headers.front().bytes.data(), size);
      own.headers.pop_front();
      own.end(*begun);
      return 0;
    }
    own.waiting[{from, channel}].receives.push_back(begun);
    own.match(from, channel, size);
    return 0;
  };
  made.test = [](void *state, GensynRequest request, int32_t *done) -> int32_t {
    SimulatedRank &own = self(state);
    own.debt += own.given.test;
    ++own.tested;
    auto *begun = static_cast<Request *>(request);
    // Most often none is, and none needs to be read.
    *done = own.done && begun->done;
    if (*done) {
      own.hasWorked = true;
      --own.done;
      delete begun;
    }
    return 0;
  };
  made.cancel = [](void *, GensynRequest) -> int32_t { return 0; };
  made.probe = [](void *state, int32_t, int32_t *from,
                  uint64_t *size) -> int32_t {
    SimulatedRank &own = self(state);
    *from = -1;
    // A pass takes all headers that are there.
    if (own.headers.empty()) {
      ++own.passed;
      return 0;
    }
    *from = own.headers.front().from;
    *size = own.headers.front().bytes.size();
    return 0;
  };
  made.abort = [](void *, int32_t code) { std::_Exit(code); };
  made.finalize = [](void *) -> int32_t { return 0; };
  made.error = [](void *) { return "a simulated transport does not fail"; };
  return made;
}

communication::EngineOptions SimulatedRank::engineOptions() {
  communication::EngineOptions options;
  options.timeout = 1e6; // nobody is lost
  options.inCalls = communication::ProgressInCalls{
      [this] { pause(); },
      [] {
        return communication::Clock::time_point(std::chrono::nanoseconds(
            std::llround(sg::Engine::get_clock() * 1e9)));
      }};
  return options;
}

} // namespace gensyn::simulation
