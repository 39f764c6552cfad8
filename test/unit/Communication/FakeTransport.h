// A transport whose other rank is the test: it says what arrives and when
// requests are done.
#ifndef GENSYN_TEST_COMMUNICATION_FAKETRANSPORT_H
#define GENSYN_TEST_COMMUNICATION_FAKETRANSPORT_H

#include "Engine.h"
#include "Protocol.h"

#include <atomic>
#include <cstring>
#include <set>

namespace gensyn::communication {

/// Connects rank 0 with a rank 1 that the test plays. It outlives the
/// communicator. Times are in seconds.
class FakeTransport {
public:
  /// How long the send of a header takes, and a cancel.
  double sendTime = 0, cancelTime = 0;
  /// finalize() does not return while this is true.
  std::atomic<bool> finalizeBlocks{false};
  /// What finalize() saw, and that it has returned.
  std::atomic<int> leftAtFinalize{-1};
  std::atomic<bool> finalized{false};
  std::atomic<bool> aborted{false};
  /// True if it knows the name of rank 1's machine.
  bool namesOthers = true;

  /// Lets a header of rank 1 arrive, with the bytes behind it, whose checksum
  /// is wrong if they were `changed`.
  void arrive(Header header, const std::string &bytes = "",
              bool changed = false) {
    header.checksum = checksumOf(bytes.data(), bytes.size()) + changed;
    header.own = checksumOf(&header, offsetof(Header, own));
    std::string all(reinterpret_cast<const char *>(&header), sizeof(header));
    const std::lock_guard lock(mutex);
    incoming.push_back(all + bytes);
  }

  /// Requests that have not been found done.
  int inFlight() const {
    const std::lock_guard lock(mutex);
    return static_cast<int>(requests.size());
  }

  /// The headers of a kind that were sent.
  std::vector<Header> sent(Kind kind) const {
    const std::lock_guard lock(mutex);
    std::vector<Header> found;
    for (const Header &header : headers)
      if (header.kind == kind)
        found.push_back(header);
    return found;
  }

  /// Ends all sends and receives of pieces.
  void endPieces() {
    const std::lock_guard lock(mutex);
    for (Request *request : requests)
      request->end = Clock::now();
  }

  GensynTransport transport() {
    GensynTransport transport;
    transport.state = this;
    transport.rank = [](void *) -> int32_t { return 0; };
    transport.size = [](void *) -> int32_t { return 2; };
    transport.host = [](void *state, int32_t rank) -> const char * {
      return rank && !self(state).namesOthers ? nullptr : "here";
    };
    transport.send = [](void *state, int32_t, int32_t channel,
                        const void *bytes, uint64_t, GensynRequest *request) {
      return self(state).send(channel, bytes, request);
    };
    transport.receive = [](void *state, int32_t, int32_t channel, void *bytes,
                           uint64_t size, GensynRequest *request) {
      return self(state).receive(channel, bytes, size, request);
    };
    transport.test = [](void *state, GensynRequest request, int32_t *done) {
      return self(state).test(static_cast<Request *>(request), done);
    };
    transport.cancel = [](void *state, GensynRequest request) -> int32_t {
      static_cast<Request *>(request)->end = later(self(state).cancelTime);
      return 0;
    };
    transport.probe = [](void *state, int32_t, int32_t *from, uint64_t *size) {
      return self(state).probe(from, size);
    };
    transport.abort = [](void *state, int32_t) { self(state).aborted = true; };
    transport.finalize = [](void *state) { return self(state).finalize(); };
    transport.error = [](void *) { return "no error"; };
    return transport;
  }

  ~FakeTransport() {
    for (Request *request : requests)
      delete request;
  }

private:
  struct Request {
    Clock::time_point end;
  };

  static FakeTransport &self(void *state) {
    return *static_cast<FakeTransport *>(state);
  }

  static Clock::time_point later(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(seconds));
  }

  Request *keep(Clock::time_point end) {
    return *requests.insert(new Request{end}).first;
  }

  int32_t send(int32_t channel, const void *bytes, GensynRequest *request) {
    const std::lock_guard lock(mutex);
    *request = keep(channel ? Clock::time_point::max() : later(sendTime));
    if (!channel)
      std::memcpy(&headers.emplace_back(), bytes, sizeof(Header));
    return 0;
  }

  int32_t receive(int32_t channel, void *bytes, uint64_t size,
                  GensynRequest *request) {
    const std::lock_guard lock(mutex);
    *request = keep(channel ? Clock::time_point::max() : Clock::now());
    if (channel)
      return 0;
    std::memcpy(bytes, incoming.front().data(), size);
    incoming.pop_front();
    return 0;
  }

  int32_t test(Request *request, int32_t *done) {
    const std::lock_guard lock(mutex);
    *done = Clock::now() >= request->end;
    if (*done) {
      requests.erase(request);
      delete request;
    }
    return 0;
  }

  int32_t probe(int32_t *from, uint64_t *size) {
    const std::lock_guard lock(mutex);
    *from = incoming.empty() ? -1 : 1;
    *size = incoming.empty() ? 0 : incoming.front().size();
    return 0;
  }

  int32_t finalize() {
    leftAtFinalize = inFlight();
    while (finalizeBlocks)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    // The test may end from here on.
    finalized = true;
    return 0;
  }

  mutable std::mutex mutex;
  std::set<Request *> requests;
  std::deque<std::string> incoming;
  std::vector<Header> headers;
};

} // namespace gensyn::communication

#endif
