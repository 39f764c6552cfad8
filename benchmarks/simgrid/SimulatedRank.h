// A rank of a simulation: a transport above a simulated network.
#ifndef GENSYN_BENCHMARKS_SIMGRID_SIMULATEDRANK_H
#define GENSYN_BENCHMARKS_SIMGRID_SIMULATEDRANK_H

#include "Engine.h"
#include "Network.h"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace gensyn::simulation {

/// What the work of a rank's processor beside its kernels takes.
struct Costs {
  /// Seconds of a call of the transport that begins a transfer.
  double call = 0;
  /// Seconds of a question whether a transfer is done.
  double test = 0;
  /// Bytes of which a checksum is computed in a second; 0: it takes no time.
  double checksum = 0;
  /// Bytes that an addition reads and writes in a second.
  double memory = 0;
};

/// Headers arrive by themselves, in the order in which they were sent, and are
/// so short that they share no bandwidth. A longer message travels when its
/// receive has begun and the sender knows that. What the rank's processor does
/// takes time of the rank, but none of the machine on which it is simulated.
class SimulatedRank {
public:
  using Ranks = std::vector<std::unique_ptr<SimulatedRank>>;
  SimulatedRank(int number, Ranks &ranks, Network &network, const Costs &costs);

  /// Of the rank that runs; before others are asked, it calls begin().
  static SimulatedRank &current();
  void begin();

  GensynTransport transport();
  /// Makes the rank's communicator, without a thread.
  communication::EngineOptions engineOptions();

  /// The processor is busy for so long, from the next pause on.
  void charge(double seconds) {
    debt += seconds;
    hasWorked = true;
  }
  /// Returns when something has happened, or the processor is not busy.
  void pause();
  /// The next pause is over at this date.
  void wakeAt(double date);
  const Costs &costs() const { return given; }
  /// How often the engine asked whether a transfer is done, and how often it
  /// looked for progress.
  uint64_t tests() const { return tested; }
  uint64_t passes() const { return passed; }
  const std::string &machine() const { return host; }

private:
  struct Request {
    bool done = false;
  };
  struct Header {
    int from;
    std::vector<std::byte> bytes;
  };
  struct Waiting {
    std::deque<Request *> sends, receives;
  };

  void sendHeader(int to, const void *bytes, uint64_t size, Request *request);
  /// Of this rank as the receiver.
  void match(int from, int channel, uint64_t size);
  void wake();
  void end(Request &request) {
    request.done = true;
    ++done;
  }

  const int number;
  Ranks &ranks;
  Network &network;
  const Costs given;
  simgrid::s4u::ActorPtr actor;
  bool isAsleep = false, hasNews = false, hasWorked = false;
  double debt = 0;
  uint64_t tested = 0, passed = 0;
  /// Requests that are done, and that were not found yet.
  size_t done = 0;

  /// Headers that have arrived, those of each rank that are on their way, and
  /// when the last one of each rank arrives.
  std::deque<Header> headers;
  std::map<int, std::deque<std::vector<std::byte>>> travelling;
  std::vector<double> lastHeader;
  /// By sender and channel, what one side has begun alone.
  std::map<std::pair<int, int>, Waiting> waiting;
  std::string host;
};

/// Memory that all ranks share, and of which only a part is there: its bytes
/// are never used.
std::byte *symbolicMemory(size_t size);

} // namespace gensyn::simulation

#endif
