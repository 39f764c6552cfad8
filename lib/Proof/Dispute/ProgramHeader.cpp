// See ProgramHeader.h.

#include "ProgramHeader.h"

#include <algorithm>

namespace gensyn::proof {
namespace {

/// Reads the fields of an Encoding in turn. Behind the end all are empty, and
/// isDone() is false.
class Decoder {
public:
  explicit Decoder(std::string_view bytes) : rest(bytes) {}

  uint64_t number() {
    const std::string_view bytes = take(8);
    uint64_t value = 0;
    for (size_t i = bytes.size(); i-- > 0;)
      value = value << 8 | uint8_t(bytes[i]);
    return value;
  }
  std::string_view text() { return take(number()); }
  std::vector<int64_t> numbers() {
    const uint64_t count = number();
    std::vector<int64_t> values;
    for (uint64_t i = 0; i < count && !isShort; ++i)
      values.push_back(int64_t(number()));
    return values;
  }
  Digest digest() {
    Digest value = {};
    std::ranges::copy(take(value.size()), value.begin());
    return value;
  }
  bool isDone() const { return !isShort && rest.empty(); }
  bool isBroken() const { return isShort; }

private:
  std::string_view take(uint64_t size) {
    if (size > rest.size()) {
      isShort = true;
      rest = {};
      return {};
    }
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }

  std::string_view rest;
  bool isShort = false;
};

} // namespace

static std::optional<ProgramHeader::Argument> readArgument(Decoder &decoder) {
  ProgramHeader::Argument argument;
  argument.name = decoder.text();
  const std::optional<Role> role = roleFromName(decoder.text());
  (void)decoder.number(); // what it is filled with at the beginning
  const std::optional<ElementType> type = elementTypeFromName(decoder.text());
  argument.shape = decoder.numbers();
  if (!role || !type)
    return std::nullopt;
  argument.role = *role;
  argument.type = *type;
  return argument;
}

static std::optional<ProgramHeader::Result> readResult(Decoder &decoder) {
  ProgramHeader::Result result;
  result.name = decoder.text();
  result.isLoss = decoder.text() == name(Role::Loss);
  result.replaces = int64_t(decoder.number());
  const std::string_view kind = decoder.text();
  if (kind == "value")
    result.value = decoder.number();
  else if (kind == "constant")
    result.constant = decoder.digest();
  else
    return std::nullopt;
  return result;
}

std::optional<ProgramHeader> readProgramHeader(std::string_view entry) {
  Decoder decoder(entry);
  ProgramHeader header;
  header.numericsVersion = decoder.number();
  for (uint64_t left = decoder.number(); left > 0 && !decoder.isBroken();
       --left)
    if (auto argument = readArgument(decoder))
      header.arguments.push_back(std::move(*argument));
    else
      return std::nullopt;
  header.values = decoder.number();
  for (uint64_t left = decoder.number(); left > 0 && !decoder.isBroken();
       --left)
    if (auto result = readResult(decoder))
      header.results.push_back(std::move(*result));
    else
      return std::nullopt;
  if (!decoder.isDone() || header.values < header.arguments.size())
    return std::nullopt;
  for (const ProgramHeader::Result &result : header.results)
    if ((result.value && *result.value >= header.values) ||
        result.replaces >= int64_t(header.arguments.size()))
      return std::nullopt;
  return header;
}

std::optional<Digest> findInSample(std::string_view entry,
                                   std::string_view name) {
  Decoder decoder(entry);
  std::optional<Digest> found;
  while (!decoder.isDone() && !decoder.isBroken()) {
    const bool isWanted = decoder.text() == name;
    const Digest digest = decoder.digest();
    if (isWanted && !decoder.isBroken())
      found = digest;
  }
  return found;
}

std::optional<StateEntry> readStateEntry(std::string_view entry) {
  Decoder decoder(entry);
  StateEntry read;
  read.name = decoder.text();
  read.tensor = decoder.digest();
  if (!decoder.isDone())
    return std::nullopt;
  return read;
}

} // namespace gensyn::proof
