// Messages in the protobuf wire format as trees of fields, and their mutation.

#ifndef GENSYN_TEST_FUZZ_WIRE_H
#define GENSYN_TEST_FUZZ_WIRE_H

#include "Driver.h"

#include <functional>
#include <list>
#include <string>

namespace gensyn::fuzz {

/// A field of a message; with `fields` if its bytes are a message themselves.
struct Field {
  uint32_t number = 0;
  uint32_t wire = 0; // 0: varint, 1: 64 bits, 2: bytes, 5: 32 bits
  uint64_t value = 0;
  std::string bytes;
  std::list<Field> fields;
  bool isMessage = false;
};

/// True if the whole text is a message.
bool parseFields(const std::string &text, std::list<Field> &fields);
std::string writeFields(const std::list<Field> &fields);

/// Cuts, repeats or alters a piece.
void changeBytes(std::string &bytes, Random &random);
/// Removes, copies, moves or alters one of all fields; `changeBytes` is for
/// those that are no messages.
void changeFields(std::list<Field> &fields, Random &random,
                  const std::function<void(Field &, Random &)> &changeBytes);

} // namespace gensyn::fuzz

#endif // GENSYN_TEST_FUZZ_WIRE_H
