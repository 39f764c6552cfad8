// See AnswerFields.h.

#include "AnswerFields.h"

#include "gensyn/Proof/Dispute/dispute.pb.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <functional>

namespace gensyn::proof {

using google::protobuf::internal::WireFormatLite;

/// Fields for which no bytes are asked, and the fewest bytes of each other one:
/// those of a range of chunks and its data, or of an operand and its digest,
/// are more.
static constexpr uint64_t freeFields = 4096, bytesOfField = 16;

/// Calls `visit` for each field of a message, with its bytes if it is one of
/// bytes. Stops where that returns false, and where the message is none.
static bool visitFields(
    std::string_view message,
    const std::function<bool(uint32_t number, std::string_view bytes)> &visit) {
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(message.data()), int(message.size()));
  while (const uint32_t tag = stream.ReadTag()) {
    std::string_view bytes;
    if (WireFormatLite::GetTagWireType(tag) ==
        WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      uint32_t size = 0;
      if (!stream.ReadVarint32(&size) ||
          size > message.size() - size_t(stream.CurrentPosition()))
        return true;
      bytes = message.substr(size_t(stream.CurrentPosition()), size);
      stream.Skip(int(size));
    } else if (!WireFormatLite::SkipField(&stream, tag)) {
      return true;
    }
    if (!visit(uint32_t(WireFormatLite::GetTagFieldNumber(tag)), bytes))
      return false;
  }
  return true;
}

/// Whether a field of an answer of a kind is a message with fields of its own
/// that repeat.
static bool isTensorChunks(uint32_t kind, uint32_t field) {
  return (kind == dispute::Answer::kEvidenceFieldNumber &&
          field == dispute::EvidenceAnswer::kTilesFieldNumber) ||
         (kind == dispute::Answer::kSampleFieldNumber &&
          field == dispute::SampleAnswer::kChunksFieldNumber);
}

namespace {

/// Counts fields of something of so many bytes.
class FieldCount {
public:
  explicit FieldCount(size_t bytes) : most(freeFields + bytes / bytesOfField) {}

  /// False for one that is too many.
  bool add() { return ++fields <= most; }
  bool addAnswer(std::string_view answer);

private:
  uint64_t most, fields = 0;
};

} // namespace

bool FieldCount::addAnswer(std::string_view answer) {
  return visitFields(answer, [&](uint32_t kind, std::string_view inner) {
    return add() &&
           visitFields(inner, [&](uint32_t field, std::string_view bytes) {
             return add() &&
                    (!isTensorChunks(kind, field) ||
                     visitFields(bytes, [&](uint32_t, std::string_view) {
                       return add();
                     }));
           });
  });
}

bool hasFewFields(std::string_view answer) {
  return FieldCount(answer.size()).addAnswer(answer);
}

bool hasFewFieldsInCase(std::string_view file) {
  FieldCount count(file.size());
  return visitFields(file, [&](uint32_t, std::string_view answer) {
    return count.add() && count.addAnswer(answer);
  });
}

} // namespace gensyn::proof
