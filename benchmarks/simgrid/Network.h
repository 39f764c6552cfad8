// Bytes on the links of a SimGrid platform.
#ifndef GENSYN_BENCHMARKS_SIMGRID_NETWORK_H
#define GENSYN_BENCHMARKS_SIMGRID_NETWORK_H

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <simgrid/s4u.hpp>

namespace gensyn::simulation {

/// Calls a function at a date of the simulation, outside of any rank; now if
/// the date is over.
void callAt(double date, std::function<void()> function);

/// What travels between the first hosts of a platform, one for each rank.
class Network {
public:
  explicit Network(int ranks);
  virtual ~Network() = default;

  using Done = std::function<void()>;
  /// Moves bytes from now on, and calls `done` when they have arrived.
  virtual void transfer(int from, int to, uint64_t bytes, Done done) = 0;

  /// Seconds that a byte takes.
  double latency(int from, int to) { return route(from, to).latency; }
  /// Seconds that so many bytes take when no others travel.
  double timeAlone(int from, int to, uint64_t bytes);
  const std::vector<simgrid::s4u::Host *> &hosts() const { return all; }
  /// The name of the machine that a rank is in: its island (platforms.py), or
  /// its host.
  std::string machineOf(int rank) const;

protected:
  struct Route {
    std::vector<simgrid::s4u::Link *> links;
    double latency = 0;
    double slowest = 0; ///< bytes in a second
  };
  const Route &route(int from, int to);

private:
  std::vector<simgrid::s4u::Host *> all;
  std::vector<std::unique_ptr<Route>> routes;
};

/// SimGrid's model: all that travel share the bandwidth of links (max-min).
/// Its time grows with the square of the number of transfers at once.
std::unique_ptr<Network> makeFlows(int ranks);

/// Each link serves one transfer after another, and passes bytes on as they
/// come. Switches have room for whatever waits.
std::unique_ptr<Network> makeQueues(int ranks);

} // namespace gensyn::simulation

#endif
