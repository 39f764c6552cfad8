// Moves bytes between the ranks of a run. No function computes with them, so
// results do not depend on how they travel.
#ifndef GENSYN_COMMUNICATION_COMMUNICATOR_H
#define GENSYN_COMMUNICATION_COMMUNICATOR_H

#include "gensyn/Executable/Support/Failure.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gensyn::communication {

class Engine;
struct TransferState;

/// The failure of another rank, as this one learned of it. Its message begins
/// with the rank that failed, `rank 2 (host): `, or, for a rank that was lost,
/// says so: `rank 3 (host) has not answered for 60 s`, `rank 3 (host) has
/// ended`; `rank 3 did not start within 300 s` if it was never heard of.
class PeerFailure : public Failure {
public:
  PeerFailure(int rank, bool lost, ExitCode code, const std::string &message,
              std::string note = "")
      : Failure(code, message, std::move(note)), rank(rank), lost(lost) {}

  /// The rank that failed.
  int rank;
  /// True if it does not answer, so that it cannot end orderly.
  bool lost;
};

/// Bytes on their way: a handle that can be copied. One that was
/// default-constructed is done.
class Transfer {
public:
  Transfer() = default;

  /// True if nothing reads or writes its bytes any more: it is done, or the
  /// communicator has been destroyed.
  bool hasEnded() const noexcept;

private:
  friend class Communicator;
  explicit Transfer(std::shared_ptr<TransferState> state)
      : state(std::move(state)) {}
  std::shared_ptr<TransferState> state;
};

/// The figures of one rank.
struct Statistics {
  /// Bytes of messages given to send(), and of those received.
  uint64_t bytesSent = 0;
  uint64_t bytesReceived = 0;
  /// Messages given to send().
  uint64_t messagesSent = 0;
  /// Seconds that threads spent in wait(), gather(), broadcast() and barrier().
  double secondsWaiting = 0;
};

/// A rank's access to all ranks. A thread of its own moves bytes while the
/// caller computes.
///
/// send(), receive(), sendAfter(), isDone() and wait() may be called by several
/// threads; gather(), broadcast(), barrier() and finish() are called by all
/// ranks in the same order, by one thread at a time. A send and a receive match
/// by ranks and tag, and several with the same ones in the order in which they
/// began.
///
/// Each function throws: a PeerFailure within a second after another rank
/// failed or was lost; a Failure with ExitCode::OutOfResources if a message
/// arrived with other bytes than were sent or the transport failed, and with
/// ExitCode::Bug if lengths or calls of ranks do not agree. From then on no
/// bytes of a caller are read or written. The exceptions are isDone(), which
/// then returns true, and those that are marked noexcept.
class Communicator {
public:
  explicit Communicator(std::unique_ptr<Engine> engine);
  /// Without finish() it lets the other ranks know that this one ends, and
  /// gives them up to two seconds to end too; if a rank was lost, the launcher
  /// then ends the process. So errors are printed before.
  virtual ~Communicator();
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  int rank() const;
  int size() const;
  /// The name of a rank's machine.
  const std::string &host(int rank) const;
  /// A rank for messages: `rank 2 (host)`.
  std::string describe(int rank) const;

  /// Begins to send to a rank, which may be this one. The bytes stay as they
  /// are until the transfer is done; those of a short message are copied.
  Transfer send(int to, uint32_t tag, std::span<const std::byte> bytes);
  /// Begins to receive exactly that many bytes from a rank.
  Transfer receive(int from, uint32_t tag, std::span<std::byte> bytes);
  /// Begins to send as soon as all that `receiving` receives has arrived, with
  /// no further call: to pass on, for one, what arrives. The bytes stay as they
  /// are from then until the transfer is done.
  Transfer sendAfter(std::span<const Transfer> receiving, int to, uint32_t tag,
                     std::span<const std::byte> bytes);
  /// True if a transfer is done, or if it never will be because of a failure,
  /// which wait() throws. Never blocks.
  bool isDone(const Transfer &transfer) const noexcept;
  /// Returns when a transfer is done.
  void wait(const Transfer &transfer);

  /// Returns every rank's text, by rank, on every rank. For small texts:
  /// identities, error lines, figures.
  std::vector<std::string> gather(const std::string &mine);
  /// Returns the text of rank `root` on every rank.
  std::string broadcast(const std::string &text, int root);
  /// Returns when every rank has called it.
  void barrier();

  /// Tells all other ranks that this one failed, so that they end too. Does
  /// nothing if the failure is a PeerFailure. With transfers in flight it is
  /// called before their bytes are freed, or these outlive the communicator.
  void reportFailure(const Failure &failure) noexcept;
  /// The failure of the lowest rank that is known to have failed, this one
  /// included. After reportFailure() it tells a rank whether a lower one
  /// failed too.
  std::optional<PeerFailure> failure() const;
  /// Ends orderly: all ranks call it, and nothing but statistics() afterwards.
  void finish();

  Statistics statistics() const;
  /// From now on `observer` is called when a thread has waited, by that thread;
  /// it is set before other threads call anything.
  using Clock = std::chrono::steady_clock;
  using WaitObserver =
      std::function<void(Clock::time_point begin, Clock::time_point end)>;
  void observeWaits(WaitObserver observer);

private:
  template <class Function> auto timed(Function function);
  std::vector<std::string> exchange(char operation, const std::string &mine);

  std::unique_ptr<Engine> engine;
  WaitObserver observer;
};

/// How ranks connect.
struct ConnectOptions {
  /// Seconds after which a rank that does not answer is lost. To start, all
  /// ranks have five times as long.
  double rankTimeout = 60;
  /// The file of this program. Plug-ins are beside it or in ../lib.
  std::filesystem::path executable;
  /// Called on the one rank that finds another one lost, at once and by any
  /// thread: the others may end this one before its caller waits again. Uses no
  /// communicator.
  std::function<void(const PeerFailure &)> onLoss;
};

/// How a launcher started this process, according to its environment.
struct Launched {
  /// For messages, such as "Open MPI's mpirun".
  std::string launcher;
  /// -1, and 0, if the launcher does not say.
  int rank = -1;
  int size = 0;
};

/// Returns nothing if no launcher started this process. Connects nothing, and
/// throws nothing.
std::optional<Launched> findLauncher() noexcept;

/// Connects the ranks with which this process was started, by mpirun or srun;
/// also if it is only one. Returns null, and opens nothing, if the process is
/// alone. Throws a Failure with ExitCode::Unsupported if the plug-in for the
/// launcher is missing, is of another version or does not fit the launcher, and
/// with ExitCode::OutOfResources if the ranks do not all start. Called once.
std::unique_ptr<Communicator> connect(const ConnectOptions &options);

/// A rank among those of its machine.
struct HostPlace {
  unsigned number = 0; ///< from 0
  unsigned ranks = 0;
};
HostPlace placeOnHost(const Communicator &ranks);

/// A number of threads for a rank: its part of the processors of its machine,
/// or those that the launcher left it.
unsigned threadsOfRank(const Communicator &ranks);

/// Makes ranks that are threads of this process, for tests: all are on the
/// host `here`, or so many on each of `host0`, `host1`, ...
std::vector<std::unique_ptr<Communicator>>
makeThreadRanks(int count, int ranksPerHost = 0);

} // namespace gensyn::communication

#endif
