// See Network.h.

#include "Network.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Action.hpp>

namespace gensyn::simulation {

namespace sg = simgrid::s4u;

void callAt(double date, std::function<void()> function) {
  simgrid::kernel::timer::Timer::set(std::max(date, sg::Engine::get_clock()),
                                     std::move(function));
}

Network::Network(int ranks) : routes(size_t(ranks) * size_t(ranks)) {
  // Hosts are listed by name; their numbers are at the end of it.
  all.resize(size_t(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    all[size_t(rank)] = sg::Host::by_name("rank" + std::to_string(rank));
}

std::string Network::machineOf(int rank) const {
  const sg::Host &host = *all[size_t(rank)];
  const std::string &zone = host.get_englobing_zone()->get_name();
  return zone.starts_with("island") ? zone : host.get_name();
}

const Network::Route &Network::route(int from, int to) {
  std::unique_ptr<Route> &known =
      routes[size_t(from) * all.size() + size_t(to)];
  if (!known) {
    known = std::make_unique<Route>();
    all[size_t(from)]->route_to(all[size_t(to)], known->links, &known->latency);
    known->slowest = known->links.front()->get_bandwidth();
    for (const sg::Link *link : known->links)
      known->slowest = std::min(known->slowest, link->get_bandwidth());
  }
  return *known;
}

double Network::timeAlone(int from, int to, uint64_t bytes) {
  const Route &path = route(from, to);
  return path.latency + double(bytes) / path.slowest;
}

namespace {
class Flows final : public Network {
  struct Flow {
    sg::CommPtr comm;
    Done done;
  };

public:
  explicit Flows(int ranks) : Network(ranks) {
    using simgrid::kernel::resource::Action;
    using simgrid::kernel::resource::NetworkAction;
    sg::Link::on_communication_state_change_cb(
        [this](NetworkAction &action, Action::State) {
          // SimGrid's headers do not have the derived class.
          const auto *base = reinterpret_cast<Action *>(&action);
          auto flow = flows.extract(base->get_activity());
          if (!flow)
            return;
          callAt(sg::Engine::get_clock(), std::move(flow.mapped().done));
          // SimGrid still reads it at this date.
          const double now = sg::Engine::get_clock();
          while (!ended.empty() && ended.front().first < now)
            ended.pop_front();
          ended.emplace_back(now, std::move(flow.mapped().comm));
        });
  }

  void transfer(int from, int to, uint64_t bytes, Done done) override {
    sg::CommPtr flow = sg::Comm::sendto_async(hosts()[size_t(from)],
                                              hosts()[size_t(to)], bytes);
    const void *key = flow->get_impl();
    flows[key] = {std::move(flow), std::move(done)};
  }

private:
  std::unordered_map<const void *, Flow> flows;
  /// With the dates at which they did.
  std::deque<std::pair<double, sg::CommPtr>> ended;
};

class Queues final : public Network {
public:
  using Network::Network;

  void transfer(int from, int to, uint64_t bytes, Done done) override {
    auto piece = std::make_shared<Piece>();
    piece->route = &route(from, to);
    piece->bytes = double(bytes);
    piece->done = std::move(done);
    arrive(std::move(piece));
  }

private:
  struct Piece {
    const Route *route;
    size_t next = 0;
    double bytes, end = 0;
    Done done;
  };

  /// The first byte is at the next link.
  void arrive(std::shared_ptr<Piece> piece) {
    if (piece->next == piece->route->links.size()) {
      callAt(piece->end, [piece] { piece->done(); });
      return;
    }
    const sg::Link *link = piece->route->links[piece->next++];
    double &free = freeAt[link];
    const double latency = link->get_latency();
    const double begin = std::max(sg::Engine::get_clock(), free);
    free = begin + piece->bytes / link->get_bandwidth();
    // The last byte is not here before it left the link before.
    piece->end = std::max(free, piece->end) + latency;
    callAt(begin + latency, [this, piece] { arrive(piece); });
  }

  std::unordered_map<const sg::Link *, double> freeAt;
};
} // namespace

std::unique_ptr<Network> makeFlows(int ranks) {
  return std::make_unique<Flows>(ranks);
}

std::unique_ptr<Network> makeQueues(int ranks) {
  return std::make_unique<Queues>(ranks);
}

} // namespace gensyn::simulation
