// The state of a rank: messages above a transport. Split over Engine.cpp (calls
// and threads), Progress.cpp (headers and pieces) and Failures.cpp.
#ifndef GENSYN_COMMUNICATION_ENGINE_H
#define GENSYN_COMMUNICATION_ENGINE_H

#include "Checksum.h"
#include "Protocol.h"
#include "TransportThread.h"
#include "Window.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Communication/Transport.h"

#include <atomic>
#include <bitset>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

namespace gensyn::communication {

using Clock = std::chrono::steady_clock;

/// A message in flight. All but `done` is guarded by the engine's mutex.
struct TransferState {
  std::atomic<bool> done{false};
  int peer = 0;
  uint32_t tag = 0;
  /// The caller's bytes; those of a send are only read.
  std::byte *bytes = nullptr;
  uint64_t size = 0;
  /// Of a text: takes as many bytes as arrive.
  std::string *text = nullptr;

  uint64_t sequence = 0;
  /// Of the pieces of a long message; 0: none may begin yet.
  int channel = 0;
  struct Piece {
    GensynRequest request;
    uint64_t size;
  };
  /// In flight, in order; at most mostPieces.
  std::vector<Piece> pieces;
  /// Bytes of pieces begun, and bytes in the checksum.
  uint64_t begun = 0, summed = 0;
  Checksum checksum;
  /// Of a receive: sends that wait for it.
  std::vector<std::shared_ptr<TransferState>> followers;
  /// Of a send: how many receives it waits for.
  size_t awaited = 0;
};

/// Lets bytes move within calls alone, for a caller that has no threads, such
/// as a simulation whose ranks take turns. isDone() then moves them too. A rank
/// that makes no calls sends no heartbeats.
struct ProgressInCalls {
  /// Called between two passes of a call that waits, by its thread. Returns
  /// after some time, or when something may have arrived or ended. now() goes
  /// on in between.
  std::function<void()> pause;
  /// The time after which ranks are lost. While it stands still, isDone() moves
  /// nothing again.
  std::function<Clock::time_point()> now = Clock::now;
};

/// Times are in seconds.
struct EngineOptions {
  /// A rank that does not answer for so long is lost.
  double timeout = 60;
  /// The same for one that has not been heard of at all. A start takes longer
  /// than an answer: programs are read by all ranks at once.
  double startTimeout() const { return 5 * timeout; }
  /// See ConnectOptions.
  std::function<void(const PeerFailure &)> onLoss;
  /// How long failures of lower ranks are waited for before one is thrown.
  double grace = 0.1;
  /// Finalizes the transport; null: the caller's thread does.
  std::shared_ptr<TransportThread> opener;
  /// Nothing: the engine has a thread, which moves bytes while callers compute.
  std::optional<ProgressInCalls> inCalls;
};

/// All functions may be called by several threads. Those in the private part
/// have the mutex.
class Engine {
public:
  Engine(const GensynTransport &transport, const EngineOptions &options);
  ~Engine();

  const int rank, size;
  /// The name of a rank's machine, and the rank with it for messages. The names
  /// are set once, before other threads ask; those of other ranks are empty
  /// until then.
  const std::string &host(int rank) const { return hosts.at(rank); }
  std::string describe(int rank) const;
  void setHosts(std::vector<std::string> names);

  std::shared_ptr<TransferState> send(Kind kind, int to, uint32_t tag,
                                      std::span<const std::byte> bytes);
  std::shared_ptr<TransferState> receive(int from, uint32_t tag,
                                         std::span<std::byte> bytes);
  std::shared_ptr<TransferState>
  sendAfter(std::span<TransferState *const> receiving, int to, uint32_t tag,
            std::span<const std::byte> bytes);
  std::shared_ptr<TransferState> receiveText(int from, uint32_t tag,
                                             std::string &text);
  bool isDone(const TransferState &state) noexcept;
  void wait(TransferState &state);
  void report(const Failure &failure) noexcept;
  std::optional<PeerFailure> lowestFailure() const;
  /// Before the last barrier: ranks may end from now on.
  void prepareFinish();
  /// After it: leaves the transport.
  void finish();

  void addWaiting(double seconds);
  Statistics statistics() const;
  /// Numbers calls of gather(), broadcast() and barrier().
  uint32_t nextText = 0;

private:
  using States = Window::States;
  /// Which receive a message is for.
  using Key = std::tuple<int, Kind, uint32_t>;
  struct Arrived {
    Header header;
    std::vector<std::byte> bytes;
  };
  struct HeaderReceive {
    int from;
    GensynRequest request;
    std::vector<std::byte> bytes;
    bool done = false;
  };
  struct HeaderSend {
    GensynRequest request;
    std::vector<std::byte> bytes;
  };
  struct Peer {
    std::list<HeaderSend> headers;
    /// The next message to and from it.
    uint64_t nextSent = 0, nextReceived = 0;
    /// Long messages to it that it does not receive yet, by sequence number.
    std::map<uint64_t, States::iterator> waiting;
    /// Channels of messages to it that began early, and of those that are
    /// received from it.
    std::bitset<pieceChannels> early, receiving;
    /// Checksums of long messages that have not been received, by sequence
    /// number.
    std::map<uint64_t, uint64_t> ends;
    bool closed = false;
  };

  // Progress.cpp
  bool progress();
  bool takeHeaders();
  bool testHeaders();
  bool movePieces();
  bool beginTransfers();
  bool sumSends();
  void sumPiece(TransferState &state);
  void beginLong(const std::shared_ptr<TransferState> &state, Header header);
  bool beginReceiving(TransferState &state);
  void takeReady(int from, const Header &header);
  template <class Begin> bool beginPieces(TransferState &state, Begin begin);
  bool advanceSend(TransferState &state);
  bool advanceReceive(TransferState &state);
  void take(int from, std::vector<std::byte> bytes);
  void takeMessage(int from, Arrived arrived);
  void match(const std::shared_ptr<TransferState> &state, Arrived &arrived);
  void verify(const TransferState &state, uint64_t sent, uint64_t found);
  void complete(TransferState &receiving);
  void sendHeader(int to, Header header, std::span<const std::byte> bytes = {});
  GensynRequest beginSend(int to, int channel, std::span<const std::byte>);
  GensynRequest beginReceive(int from, int channel, std::span<std::byte>);
  bool test(GensynRequest request);
  void check(int32_t status);
  bool inFlight() const;

  // Failures.cpp
  void guard(const std::function<void()> &function) noexcept;
  void noteFailure(const PeerFailure &failure);
  void takeFailure(std::span<const std::byte> bytes);
  void tell(const PeerFailure &failure);
  void forSends(const std::function<void(TransferState &)> &function);
  void drain();
  void watch();
  void takeHeartbeat(const Header &header, std::span<const std::byte> host);
  void lose(int rank, const std::string &reason);
  void throwIfBroken();
  void close() noexcept;

  // Engine.cpp
  void start();
  void serve();
  void stop(std::unique_lock<std::mutex> &lock);
  void pause(std::unique_lock<std::mutex> &lock);
  Clock::time_point now() const;
  double secondsSince(Clock::time_point start) const;
  void wake();
  Header nextHeader(Kind kind, int to, uint32_t tag, uint64_t size);
  void beginAwaiting(const std::shared_ptr<TransferState> &state);
  void endTransfers() noexcept;
  std::shared_ptr<TransferState> begin(int from, Kind kind, uint32_t tag,
                                       std::span<std::byte> bytes,
                                       std::string *text);
  void checkRank(int peer) const;
  bool finalize(int32_t &status);

  GensynTransport transport;
  /// By rank; empty where it is not known.
  std::vector<std::string> hosts;
  const EngineOptions options;
  mutable std::mutex mutex;
  /// A transfer is done; there is something to do for a thread that is idle.
  /// Apart, since waking a thread takes longer than a short message.
  std::condition_variable changed, work;
  bool idle = false;
  std::vector<Peer> peers;
  std::set<int> busyPeers;
  std::list<HeaderReceive> arriving;
  /// Long messages to send that their receivers do not receive yet.
  States waiting;
  /// Those that they do, and those that this rank receives.
  Window sends, receives;
  /// Long messages to send whose checksum may not be complete, and of these
  /// those that their receivers receive.
  std::deque<Window::State> unsummed, unsummedReady;
  int begunEarly = 0;
  std::map<Key, std::deque<std::shared_ptr<TransferState>>> posted;
  std::map<Key, std::deque<Arrived>> unexpected;
  /// Receives that no message had matched before a failure.
  std::vector<std::shared_ptr<TransferState>> abandoned;
  Statistics figures;
  int waiters = 0;

  /// This rank's own failure, found below a call.
  std::optional<Failure> own;
  std::map<int, PeerFailure> failures;
  Clock::time_point failedAt;
  bool failed = false, canceled = false, reported = false;
  /// Failed, and nothing reads or writes a caller's bytes any more.
  bool drained = false;
  /// The same, and which failure is reported is decided.
  std::atomic<bool> broken{false};
  /// The transport may not be called any more.
  bool unusable = false;

  /// Of heartbeats.
  Clock::time_point nextHeartbeat, nextLook, lastPass;
  double silence = 0;
  /// Of the previous rank, from its heartbeats: the name of its machine, so
  /// that a loss names it even while names are gathered, and its process, if it
  /// runs where this one does.
  std::string neighbourHost;
  int neighbour = 0;
  bool isNeighbourKnown = false;

  bool stopping = false, finishing = false, finished = false;
  /// The transport is ended, or its end has begun.
  bool left = false;
  std::thread thread;
};

/// Seconds for messages: `60 s`.
std::string secondsText(double seconds);

/// Returns communicators of thread ranks with faults for tests.
struct ThreadRankOptions {
  EngineOptions engine;
  enum class Action { Deliver, Corrupt, Drop };
  /// What happens to the bytes of one rank to another on a channel.
  std::function<Action(int from, int to, int channel,
                       std::span<const std::byte> bytes)>
      fault;
  /// As if so many ranks were on a machine; 0: all are.
  int ranksPerHost = 0;
};
std::vector<std::unique_ptr<Communicator>>
makeThreadRanks(int count, const ThreadRankOptions &options);

} // namespace gensyn::communication

#endif
