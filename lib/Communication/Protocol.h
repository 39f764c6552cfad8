// What travels between ranks. Channel 0 carries headers, with the bytes of
// short messages behind them; the pieces of a long message follow on a channel
// of their own, and its checksum in another header.
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
};

/// In the byte order of the machine, which is little-endian on all.
struct Header {
  /// "GENS", so that bytes of something else are not taken for a header.
  uint32_t magic = expectedMagic;
  Kind kind = Kind::Message;
  /// The number of the message among those from this sender to this receiver.
  uint64_t sequence = 0;
  uint32_t tag = 0;
  uint32_t reserved = 0;
  /// Bytes of the message.
  uint64_t size = 0;
  /// The checksum of the message's bytes; of a long one in Kind::End only.
  uint64_t checksum = 0;
  /// The checksum of the fields above.
  uint64_t own = 0;

  static constexpr uint32_t expectedMagic = 0x534E4547;
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
/// Long messages between two ranks use these channels in turn.
constexpr uint64_t pieceChannels = GENSYN_TRANSPORT_LAST_CHANNEL;
/// Texts longer than this are no identities, error lines or figures.
constexpr size_t mostText = size_t(256) << 20;

} // namespace gensyn::communication

#endif
