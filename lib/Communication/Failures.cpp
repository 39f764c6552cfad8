// Failures of ranks: how the others learn of them, and how all end.

#include "Engine.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace gensyn::communication {

namespace {
/// After so many seconds without progress, pieces in flight are given up.
constexpr double longestSend = 0.25, longestReceive = 0.5;
/// Seconds for which the other ranks are waited for at a disorderly end.
constexpr double longestClose = 2;
constexpr size_t mostMessage = 4096;
} // namespace

void Engine::guard(const std::function<void()> &function) noexcept {
  std::optional<Failure> found;
  try {
    function();
  } catch (const Failure &failure) {
    found = failure;
  } catch (const std::bad_alloc &) {
    found = Failure(ExitCode::OutOfResources,
                    "the memory for messages does not suffice");
  } catch (const std::exception &error) {
    found = Failure(ExitCode::Bug, error.what());
  }
  // A second one is most often a consequence of the first.
  if (!found || failed)
    return;
  own = found;
  reported = true;
  const PeerFailure told(rank, false, found->code,
                         describe(rank) + ": " + found->what(), found->note);
  noteFailure(told);
  tell(told);
}

void Engine::noteFailure(const PeerFailure &failure) {
  failures.emplace(failure.rank, failure);
  if (failed)
    return;
  failed = true;
  failedAt = now();
}

void Engine::tell(const PeerFailure &failure) {
  FailureHead head;
  head.rank = failure.rank;
  head.code = static_cast<int32_t>(failure.code);
  head.lost = failure.lost;
  std::string text(reinterpret_cast<const char *>(&head), sizeof(head));
  text += std::string(failure.what()).substr(0, mostMessage);
  text += '\0';
  text += failure.note.substr(0, mostMessage);
  Header header;
  header.kind = Kind::Failed;
  header.size = text.size();
  header.checksum = checksumOf(text.data(), text.size());
  for (int to = 0; to < size; ++to) {
    if (to == rank || (failure.lost && to == failure.rank))
      continue;
    try {
      sendHeader(to, header, std::as_bytes(std::span(text)));
    } catch (const std::exception &) {
      // The others are told all the same.
    }
  }
}

void Engine::takeFailure(std::span<const std::byte> bytes) {
  FailureHead head;
  if (bytes.size() < sizeof(head))
    throw Failure(ExitCode::Bug,
                  "a failure of " + std::to_string(bytes.size()) + " bytes");
  std::memcpy(&head, bytes.data(), sizeof(head));
  const std::string text(reinterpret_cast<const char *>(bytes.data()) +
                             sizeof(head),
                         bytes.size() - sizeof(head));
  const size_t end = std::min(text.find('\0'), text.size());
  noteFailure(PeerFailure(head.rank, head.lost, ExitCode(head.code),
                          text.substr(0, end),
                          end < text.size() ? text.substr(end + 1) : ""));
}

/// Returns a number of where process numbers have the same meaning: the start
/// of the system and the namespace.
static uint64_t processPlace() {
  static const uint64_t place = [] {
    std::string text;
    if (std::FILE *file = std::fopen("/proc/sys/kernel/random/boot_id", "r")) {
      char line[64] = "";
      if (std::fgets(line, sizeof(line), file))
        text = line;
      std::fclose(file);
    }
    struct stat space{};
    if (text.empty() || ::stat("/proc/self/ns/pid", &space) != 0)
      return uint64_t(0);
    text += std::to_string(space.st_ino);
    return checksumOf(text.data(), text.size());
  }();
  return place;
}

void Engine::takeHeartbeat(const Header &header,
                           std::span<const std::byte> host) {
  if (header.checksum != checksumOf(host.data(), host.size()))
    throw Failure(ExitCode::OutOfResources,
                  "a heartbeat from " + describe((rank + size - 1) % size) +
                      " arrived with other bytes than were sent");
  isNeighbourKnown = true;
  neighbourHost.assign(reinterpret_cast<const char *>(host.data()),
                       host.size());
  // 0: not known.
  if (header.sequence && header.sequence == processPlace())
    neighbour = static_cast<int>(header.tag);
}

void Engine::lose(int rank, const std::string &reason) {
  std::string name = describe(rank);
  // Names may not have been gathered yet.
  if (hosts[rank].empty() && !neighbourHost.empty())
    name += " (" + neighbourHost + ")";
  const PeerFailure lost(rank, true, ExitCode::OutOfResources,
                         name + " " + reason);
  if (options.onLoss != nullptr)
    options.onLoss(lost);
  noteFailure(lost);
  tell(lost);
}

/// Each rank watches the one before it, so that heartbeats are few.
void Engine::watch() {
  const Clock::time_point now = this->now();
  const double passed = std::chrono::duration<double>(now - lastPass).count();
  const auto later = [&](double seconds) {
    return now + std::chrono::duration_cast<Clock::duration>(
                     std::chrono::duration<double>(seconds));
  };
  lastPass = now;
  if (size == 1 || failed)
    return;
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  if (now >= nextHeartbeat && !finished) {
    nextHeartbeat = later(std::min(options.timeout / 6, 5.0));
    Header header;
    header.kind = Kind::Heartbeat;
    header.tag = static_cast<uint32_t>(::getpid());
    header.sequence = processPlace();
    const std::string host = transport.host(transport.state, rank);
    header.size = host.size();
    header.checksum = checksumOf(host.data(), host.size());
    sendHeader(next, header, std::as_bytes(std::span(host)));
  }
  // A launcher may let the others go on, as srun does.
  if (neighbour && !finishing && now >= nextLook) {
    nextLook = later(0.05);
    if (::kill(neighbour, 0) != 0 && errno == ESRCH)
      return lose(previous, "has ended");
  }
  // Time in which this rank itself did not run, stopped or without a
  // processor, is not the other's silence.
  silence += std::min(passed, std::min(options.timeout / 8, 1.0));
  if (silence <= options.timeout || peers[previous].closed)
    return;
  if (isNeighbourKnown)
    lose(previous, "has not answered for " + secondsText(options.timeout));
  else if (silence > options.startTimeout())
    lose(previous,
         "did not start within " + secondsText(options.startTimeout()));
}

/// Calls a function for each long message of which pieces may be on their way.
void Engine::forSends(const std::function<void(TransferState &)> &function) {
  for (const auto &state : waiting)
    function(*state);
  sends.forAll(function);
}

/// Nothing may touch the caller's bytes once wait() has thrown. A message that
/// no receive has matched stays where it is; one that is matched arrives soon,
/// as both sides go on to look for progress.
void Engine::drain() {
  const double age = secondsSince(failedAt);
  if (!canceled) {
    canceled = true;
    for (auto &[key, states] : std::exchange(posted, {}))
      abandoned.insert(abandoned.end(), states.begin(), states.end());
    unexpected.clear();
    receives.forAll([&](TransferState &state) {
      for (TransferState::Piece &piece : state.pieces)
        transport.cancel(transport.state, piece.request);
    });
  }
  size_t received = 0, sent = 0;
  const auto settle = [&](TransferState &state) {
    std::erase_if(state.pieces, [&](const TransferState::Piece &piece) {
      int32_t done = 0;
      // After an error there is no request any more.
      return transport.test(transport.state, piece.request, &done) || done;
    });
    return state.pieces.size();
  };
  receives.forAll([&](TransferState &state) { received += settle(state); });
  forSends([&](TransferState &state) { sent += settle(state); });
  if ((received && age < longestReceive) || (sent && age < longestSend))
    return;
  if (received)
    unusable = true;
  drained = true;
  if (!own && failures.begin()->first != 0 && age < options.grace)
    return;
  broken = true;
  changed.notify_all();
}

void Engine::throwIfBroken() {
  if (broken && own)
    throw *own;
  if (broken)
    throw failures.begin()->second;
  if (unusable)
    throw Failure(ExitCode::Bug, "a message after the end of communication");
}

void Engine::report(const Failure &failure) noexcept {
  if (dynamic_cast<const PeerFailure *>(&failure))
    return;
  std::unique_lock lock(mutex);
  if (reported || finished)
    return;
  reported = true;
  const PeerFailure told(rank, false, failure.code,
                         describe(rank) + ": " + failure.what(), failure.note);
  noteFailure(told);
  tell(told);
  // The caller may end the process next.
  const Clock::time_point start = now();
  while (!unusable && !(drained && busyPeers.empty()) &&
         secondsSince(start) < 1) {
    progress();
    pause(lock);
  }
}

std::optional<PeerFailure> Engine::lowestFailure() const {
  const std::lock_guard lock(mutex);
  if (failures.empty())
    return std::nullopt;
  return failures.begin()->second;
}

void Engine::close() noexcept {
  {
    const std::lock_guard lock(mutex);
    if (!failed)
      guard(
          [] { throw Failure(ExitCode::Bug, "ended before the other ranks"); });
    Header header;
    header.kind = Kind::Closing;
    for (int to = 0; to < size && !unusable; ++to) {
      const auto failure = failures.find(to);
      if (to == rank || (failure != failures.end() && failure->second.lost))
        continue;
      try {
        sendHeader(to, header);
      } catch (const std::exception &) {
        // It does not answer below.
      }
    }
  }
  const Clock::time_point start = now();
  std::unique_lock lock(mutex);
  bool orderly = false, others = false;
  while (!unusable && !others && secondsSince(start) < longestClose) {
    progress();
    orderly = others = drained && busyPeers.empty();
    for (int peer = 0; peer < size; ++peer) {
      const auto failure = failures.find(peer);
      if (failure != failures.end() && failure->second.lost)
        orderly = false;
      else if (peer != rank && !peers[peer].closed)
        orderly = others = false;
    }
    if (!others)
      pause(lock);
  }
  forSends([&](TransferState &state) { orderly &= state.pieces.empty(); });
  const int32_t code = static_cast<int32_t>(failures.begin()->second.code);
  stop(lock);
  int32_t status = 0;
  if (orderly && !unusable)
    finalize(status);
  else
    transport.abort(transport.state, code);
}

} // namespace gensyn::communication
