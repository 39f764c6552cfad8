// See Ring.h.

#include "Ring.h"

#include <algorithm>

namespace gensyn::simulation {

namespace {
class Ring : public std::enable_shared_from_this<Ring> {
public:
  Ring(Network &network, const Costs &costs, std::vector<Bucket> given,
       std::function<void(double)> done)
      : network(network), costs(costs), buckets(std::move(given)),
        done(std::move(done)), ranks(network.hosts().size()),
        received(ranks, 0), ready(ranks, 0) {}

  void begin() {
    for (size_t rank = 0; rank < ranks; ++rank)
      send(rank);
  }

private:
  size_t stepsOfBucket() const { return 2 * (ranks - 1); }

  /// Begins the step of a rank that follows those for which it has received.
  void send(size_t rank) {
    const size_t step = received[rank];
    if (step == buckets.size() * stepsOfBucket()) {
      if (++ended == ranks)
        done(simgrid::s4u::Engine::get_clock());
      return;
    }
    const Bucket &bucket = buckets[step / stepsOfBucket()];
    const double date =
        std::max(bucket.readyAt, simgrid::s4u::Engine::get_clock()) +
        2 * costs.call;
    callAt(date, [own = shared_from_this(), rank] { own->pass(rank); });
  }

  void pass(size_t rank) {
    const size_t next = (rank + 1) % ranks;
    const uint64_t chunk =
        buckets[received[rank] / stepsOfBucket()].bytes / ranks;
    // A step is over for a rank when it has sent and received.
    network.transfer(int(rank), int(next), chunk,
                     [own = shared_from_this(), rank, next, chunk] {
                       own->arrive(next, chunk);
                       own->arrive(rank, chunk);
                     });
  }

  /// One of the two transfers of a rank's step has ended.
  void arrive(size_t rank, uint64_t chunk) {
    if (++ready[rank] < 2)
      return;
    ready[rank] = 0;
    const size_t step = received[rank] % stepsOfBucket();
    ++received[rank];
    double adding = 0;
    if (step < ranks - 1 && costs.memory > 0)
      adding = 3 * double(chunk) / costs.memory;
    callAt(simgrid::s4u::Engine::get_clock() + adding,
           [own = shared_from_this(), rank] { own->send(rank); });
  }

  Network &network;
  const Costs costs;
  const std::vector<Bucket> buckets;
  const std::function<void(double)> done;
  const size_t ranks;
  std::vector<size_t> received;
  std::vector<int> ready;
  size_t ended = 0;
};
} // namespace

void runRing(Network &network, const Costs &costs, std::vector<Bucket> buckets,
             std::function<void(double)> done) {
  std::make_shared<Ring>(network, costs, std::move(buckets), std::move(done))
      ->begin();
}

} // namespace gensyn::simulation
