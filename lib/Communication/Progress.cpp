// Moves headers and pieces. A pass never waits.

#include "Engine.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gensyn::communication {

static uint64_t checksumOf(const Header &header) {
  return checksumOf(&header, offsetof(Header, own));
}

void Engine::check(int32_t status) {
  if (status)
    throw Failure(ExitCode::OutOfResources, transport.error(transport.state));
}

GensynRequest Engine::beginSend(int to, int channel,
                                std::span<const std::byte> bytes) {
  GensynRequest request = nullptr;
  check(transport.send(transport.state, to, channel, bytes.data(), bytes.size(),
                       &request));
  return request;
}

GensynRequest Engine::beginReceive(int from, int channel,
                                   std::span<std::byte> bytes) {
  GensynRequest request = nullptr;
  check(transport.receive(transport.state, from, channel, bytes.data(),
                          bytes.size(), &request));
  return request;
}

bool Engine::test(GensynRequest request) {
  int32_t done = 0;
  check(transport.test(transport.state, request, &done));
  return done;
}

void Engine::sendHeader(int to, Header header,
                        std::span<const std::byte> bytes) {
  header.own = checksumOf(header);
  HeaderSend send;
  send.bytes.resize(sizeof(header) + bytes.size());
  std::memcpy(send.bytes.data(), &header, sizeof(header));
  if (!bytes.empty())
    std::memcpy(send.bytes.data() + sizeof(header), bytes.data(), bytes.size());
  send.request = beginSend(to, 0, send.bytes);
  peers[to].headers.push_back(std::move(send));
  busyPeers.insert(to);
}

bool Engine::inFlight() const {
  return !posted.empty() || !waiting.empty() || !sends.empty() ||
         !receives.empty() || !arriving.empty() || !busyPeers.empty() ||
         (failed && !broken);
}

bool Engine::progress() {
  if (unusable)
    return false;
  bool moved = false;
  guard([&] {
    watch();
    moved |= takeHeaders();
    moved |= testHeaders();
    if (!failed)
      moved |= movePieces();
  });
  if (failed && !broken)
    drain();
  return moved;
}

bool Engine::takeHeaders() {
  bool moved = false;
  // Bounded, so that pieces move too.
  for (int count = 0; count < 64; ++count) {
    int32_t from = -1;
    uint64_t bytes = 0;
    check(transport.probe(transport.state, 0, &from, &bytes));
    if (from < 0)
      break;
    HeaderReceive &receive = arriving.emplace_back();
    receive.from = from;
    receive.bytes.resize(bytes);
    receive.request = beginReceive(from, 0, receive.bytes);
  }
  // Those of one rank are read in their order.
  std::set<int> behind;
  for (auto next = arriving.begin(); next != arriving.end();) {
    if (!next->done && test(next->request))
      next->done = true;
    if (!next->done || behind.count(next->from)) {
      behind.insert(next->from);
      ++next;
      continue;
    }
    const int from = next->from;
    std::vector<std::byte> bytes = std::move(next->bytes);
    next = arriving.erase(next);
    take(from, std::move(bytes));
    moved = true;
  }
  return moved;
}

bool Engine::testHeaders() {
  bool moved = false;
  for (auto next = busyPeers.begin(); next != busyPeers.end();) {
    std::list<HeaderSend> &headers = peers[*next].headers;
    while (!headers.empty() && test(headers.front().request)) {
      headers.pop_front();
      moved = true;
    }
    next = headers.empty() ? busyPeers.erase(next) : std::next(next);
  }
  return moved;
}

void Engine::take(int from, std::vector<std::byte> bytes) {
  if (from == (rank + size - 1) % size)
    silence = 0;
  Arrived arrived;
  if (bytes.size() >= sizeof(Header))
    std::memcpy(&arrived.header, bytes.data(), sizeof(Header));
  const Header &header = arrived.header;
  const uint32_t other = header.magic ^ Header::expectedMagic;
  if (other && !(other << (32 - Header::versionShift)))
    throw Failure(
        ExitCode::Unsupported,
        describe(from) + " is of another build: its headers have version " +
            std::to_string(header.magic >> Header::versionShift) +
            ", expected " +
            std::to_string(Header::expectedMagic >> Header::versionShift));
  if (bytes.size() < sizeof(Header) || header.magic != Header::expectedMagic ||
      header.own != checksumOf(header))
    throw Failure(ExitCode::OutOfResources,
                  "a header from " + describe(from) +
                      " arrived with other bytes than were sent");
  Peer &peer = peers[from];
  arrived.bytes.assign(bytes.begin() + sizeof(Header), bytes.end());
  switch (header.kind) {
  case Kind::Message:
  case Kind::Text:
    if (header.sequence != peer.nextReceived)
      throw Failure(ExitCode::OutOfResources,
                    "message " + std::to_string(peer.nextReceived) + " from " +
                        describe(from) + " did not arrive");
    ++peer.nextReceived;
    return takeMessage(from, std::move(arrived));
  case Kind::End:
    peer.ends[header.sequence] = header.checksum;
    return;
  case Kind::Heartbeat:
    return takeHeartbeat(header, arrived.bytes);
  case Kind::Failed:
    return takeFailure(arrived.bytes);
  case Kind::Closing:
    peer.closed = true;
    return;
  case Kind::Ready:
    return takeReady(from, header);
  }
  throw Failure(ExitCode::Bug,
                "a header of an unknown kind from " + describe(from));
}

void Engine::takeMessage(int from, Arrived arrived) {
  if (failed)
    return;
  const Header &header = arrived.header;
  const Key key(from, header.kind, header.tag);
  auto found = posted.find(key);
  if (found == posted.end()) {
    unexpected[key].push_back(std::move(arrived));
    return;
  }
  std::shared_ptr<TransferState> state = found->second.front();
  found->second.pop_front();
  if (found->second.empty())
    posted.erase(found);
  match(state, arrived);
}

void Engine::match(const std::shared_ptr<TransferState> &matched,
                   Arrived &arrived) {
  const Header &header = arrived.header;
  TransferState &state = *matched;
  state.sequence = header.sequence;
  state.channel = static_cast<int>(header.channel);
  const std::string name = "message " + std::to_string(header.sequence) +
                           " from " + describe(state.peer);
  if (state.text) {
    if (header.size > mostText)
      throw Failure(ExitCode::Bug, name + " is a text of " +
                                       std::to_string(header.size) + " bytes");
    state.text->resize(header.size);
    state.bytes = reinterpret_cast<std::byte *>(state.text->data());
    state.size = header.size;
  }
  if (header.size != state.size)
    throw Failure(ExitCode::Bug,
                  name + " with tag " + std::to_string(state.tag) + " has " +
                      std::to_string(header.size) + " bytes, expected " +
                      std::to_string(state.size));
  if (header.size > mostShort) {
    if (state.channel < 0 || state.channel >= firstChosen)
      throw Failure(ExitCode::Bug, name + " travels on channel " +
                                       std::to_string(header.channel));
    receives.add(state.peer, matched);
    beginTransfers();
    return;
  }
  if (arrived.bytes.size() != header.size)
    throw Failure(ExitCode::OutOfResources,
                  name + " arrived with " +
                      std::to_string(arrived.bytes.size()) +
                      " bytes, expected " + std::to_string(header.size));
  verify(state, header.checksum,
         checksumOf(arrived.bytes.data(), arrived.bytes.size()));
  if (state.size)
    std::memcpy(state.bytes, arrived.bytes.data(), state.size);
  if (!state.text)
    figures.bytesReceived += state.size;
  complete(state);
}

/// Ends a receive, and begins what waits for it.
void Engine::complete(TransferState &receiving) {
  receiving.done.store(true, std::memory_order_release);
  for (const auto &send : std::exchange(receiving.followers, {}))
    if (--send->awaited == 0)
      beginAwaiting(send);
}

void Engine::verify(const TransferState &state, uint64_t sent, uint64_t found) {
  if (sent != found)
    throw Failure(ExitCode::OutOfResources,
                  "message " + std::to_string(state.sequence) + " from " +
                      describe(state.peer) +
                      " arrived with other bytes than were sent");
}

/// A window never waits for a caller: a message enters one when a receive of it
/// has begun, so its two sides need nothing else to end. Each peer's messages
/// enter the windows of both sides in one order, that of Kind::Ready, so the
/// first one is the same on both, and both look at it. Sends that nobody
/// receives yet are in no window, however many they are.
bool Engine::movePieces() {
  bool moved = sumSends();
  sends.advance([&](TransferState &state) {
    moved |= advanceSend(state);
    return state.done.load(std::memory_order_relaxed);
  });
  receives.advance([&](TransferState &state) {
    moved |= advanceReceive(state);
    return state.done.load(std::memory_order_relaxed);
  });
  return beginTransfers() || moved;
}

bool Engine::beginTransfers() {
  const bool sent = sends.begin([&](TransferState &state) {
    beginPieces(state, &Engine::beginSend);
    return true;
  });
  return receives.begin([&](TransferState &state) {
    return beginReceiving(state);
  }) || sent;
}

/// Early, a message does not wait for its receiver's answer. Few are, since
/// those wait in the transport.
void Engine::beginLong(const std::shared_ptr<TransferState> &state,
                       Header header) {
  Peer &peer = peers[state->peer];
  peer.waiting[state->sequence] = waiting.insert(waiting.end(), state);
  unsummed.push_back(state);
  if (begunEarly < mostEarly)
    for (int channel = 1; channel < firstChosen && !state->channel; ++channel)
      if (!peer.early[channel])
        state->channel = channel;
  header.channel = static_cast<uint32_t>(state->channel);
  sendHeader(state->peer, header);
  if (!state->channel)
    return;
  peer.early.set(state->channel);
  ++begunEarly;
  beginPieces(*state, &Engine::beginSend);
}

void Engine::takeReady(int from, const Header &header) {
  if (failed)
    return;
  Peer &peer = peers[from];
  const auto found = peer.waiting.find(header.sequence);
  const int channel = static_cast<int>(header.channel);
  if (found == peer.waiting.end() || channel < 1 || channel >= pieceChannels)
    throw Failure(ExitCode::Bug, describe(from) + " receives message " +
                                     std::to_string(header.sequence) +
                                     " on channel " + std::to_string(channel));
  TransferState &state = **found->second;
  if (state.channel)
    --begunEarly;
  else
    state.channel = channel;
  unsummedReady.push_back(*found->second);
  sends.add(from, *found->second);
  waiting.erase(found->second);
  peer.waiting.erase(found);
  beginTransfers();
}

/// Adds a piece to a checksum, first of what is received. One in a pass, since
/// it takes a while.
bool Engine::sumSends() {
  for (auto *queue : {&unsummedReady, &unsummed}) {
    while (!queue->empty() && queue->front()->summed == queue->front()->size)
      queue->pop_front();
    if (!queue->empty()) {
      sumPiece(*queue->front());
      return true;
    }
  }
  return false;
}

void Engine::sumPiece(TransferState &state) {
  const uint64_t size =
      std::min<uint64_t>(pieceSize, state.size - state.summed);
  state.checksum.update(state.bytes + state.summed, size);
  state.summed += size;
  if (state.summed == state.size) {
    Header header;
    header.kind = Kind::End;
    header.sequence = state.sequence;
    header.checksum = state.checksum.value();
    sendHeader(state.peer, header);
  }
}

template <class Begin>
bool Engine::beginPieces(TransferState &state, Begin begin) {
  bool moved = false;
  while (state.pieces.size() < mostPieces && state.begun < state.size) {
    const uint64_t size =
        std::min<uint64_t>(pieceSize, state.size - state.begun);
    state.pieces.push_back({(this->*begin)(state.peer, state.channel,
                                           {state.bytes + state.begun, size}),
                            size});
    state.begun += size;
    moved = true;
  }
  return moved;
}

bool Engine::advanceSend(TransferState &state) {
  bool moved = false;
  while (!state.pieces.empty() && test(state.pieces.front().request)) {
    state.pieces.erase(state.pieces.begin());
    moved = true;
  }
  moved |= beginPieces(state, &Engine::beginSend);
  if (state.pieces.empty() && state.summed == state.size) {
    if (state.channel < firstChosen)
      peers[state.peer].early.reset(state.channel);
    state.done.store(true, std::memory_order_release);
    moved = true;
  }
  return moved;
}

/// Begins to receive, and tells the sender; false if that has to wait.
bool Engine::beginReceiving(TransferState &state) {
  Peer &peer = peers[state.peer];
  for (int channel = firstChosen; !state.channel; ++channel)
    if (!peer.receiving[channel])
      state.channel = channel;
  // Its sender is done with a message whose last pieces are still to come.
  if (peer.receiving[state.channel])
    return false;
  peer.receiving.set(state.channel);
  beginPieces(state, &Engine::beginReceive);
  Header header;
  header.kind = Kind::Ready;
  header.sequence = state.sequence;
  header.channel = static_cast<uint32_t>(state.channel);
  sendHeader(state.peer, header);
  return true;
}

bool Engine::advanceReceive(TransferState &state) {
  bool moved = false;
  if (!state.pieces.empty() && test(state.pieces.front().request)) {
    const uint64_t size = state.pieces.front().size;
    state.pieces.erase(state.pieces.begin());
    state.checksum.update(state.bytes + state.summed, size);
    state.summed += size;
    moved = true;
  }
  moved |= beginPieces(state, &Engine::beginReceive);
  if (state.summed < state.size)
    return moved;
  Peer &peer = peers[state.peer];
  const auto end = peer.ends.find(state.sequence);
  if (end == peer.ends.end())
    return moved;
  const uint64_t sent = end->second;
  peer.ends.erase(end);
  peer.receiving.reset(state.channel);
  verify(state, sent, state.checksum.value());
  if (!state.text)
    figures.bytesReceived += state.size;
  complete(state);
  return true;
}

} // namespace gensyn::communication
