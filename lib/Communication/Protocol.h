// What travels between ranks. Channel 0 carries headers, with the bytes of
// short messages behind them. A long message is a header, which is answered by
// Kind::Ready once a receive has begun; pieces on another channel; and its
// checksum in a header. The sender begins the first ones to a rank early,
// without the answer.
#ifndef GENSYN_COMMUNICATION_PROTOCOL_H
#define GENSYN_COMMUNICATION_PROTOCOL_H

#include "gensyn/Communication/Transport.h"

#include <cstddef>
#include <cstdint>

namespace gensyn::communication {

/// The purpose of a header.
enum class Kind : uint32_t {
  /// A message of the caller.
  Message = 1,
  /// A text of gather(), broadcast() or barrier().
  Text = 2,
  /// All pieces of a long message are sent: their checksum.
  End = 3,
  /// The sender is alive. The number of its process is in `tag`, and in
  /// `sequence` another number of where such numbers have the same meaning. The
  /// bytes are the name of its machine.
  Heartbeat = 4,
  /// A rank failed. The bytes are a FailureHead and two texts.
  Failed = 5,
  /// The last header from this sender.
  Closing = 6,
  /// A receive of the long message `sequence` has begun.
  Ready = 7,
};

/// In the byte order of the machine, which is little-endian on all.
struct Header {
  /// "GEN", so that bytes of something else are not taken for a header, and the
  /// version of what is in this file.
  uint32_t magic = expectedMagic;
  Kind kind = Kind::Message;
  /// The number of the message among those from this sender to this receiver.
  uint64_t sequence = 0;
  uint32_t tag = 0;
  /// On which the pieces of a long message travel: of Message and Text 0 if
  /// they do not yet, so that the receiver may choose one; of Ready that one.
  uint32_t channel = 0;
  /// Bytes of the message.
  uint64_t size = 0;
  /// The checksum of the message's bytes; of a long one in Kind::End only.
  uint64_t checksum = 0;
  /// The checksum of the fields above.
  uint64_t own = 0;

  static constexpr uint32_t expectedMagic = 0x024E4547;
  static constexpr int versionShift = 24;
};
static_assert(sizeof(Header) == 48);

/// Before the message and the note of a failure, which a zero separates.
struct FailureHead {
  int32_t rank = 0;
  int32_t code = 0;
  int32_t lost = 0;
};

/// Messages of at most this many bytes are sent behind their header.
constexpr size_t mostShort = 16 << 10;
/// Bytes of a piece, and how many pieces of a message are in flight. Small
/// enough that a piece's checksum is computed while others travel.
constexpr size_t pieceSize = 1 << 20;
constexpr size_t mostPieces = 4;
/// How many long messages at once a rank receives, and sends of those that are
/// received: of all and of each other rank. A pass looks at no others.
constexpr size_t mostMoving = 64, mostOfPeer = 4;
/// How many a rank begins to send early: to one rank, and in all.
constexpr int earlyChannels = 2, mostEarly = 64;
/// Pieces that began early travel on channel 1 or the next ones, the others on
/// those behind them: between two ranks each message in flight has its own.
constexpr int firstChosen = 1 + earlyChannels;
constexpr int pieceChannels = firstChosen + int(mostOfPeer);
static_assert(pieceChannels <= GENSYN_TRANSPORT_LAST_CHANNEL + 1);
/// Texts longer than this are no identities, error lines or figures.
constexpr size_t mostText = size_t(256) << 20;

} // namespace gensyn::communication

#endif
