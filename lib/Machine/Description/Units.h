// The units of numbers in machine files.
#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_UNITS_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_UNITS_H

#include "gensyn/Machine/Description.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace gensyn::machine {

/// Holds products of two numbers.
__extension__ using Wide = __int128;

/// A unit as a file writes it: "KiB" is 1024 of the base unit of Bytes.
struct UnitName {
  std::string_view symbol;
  Unit unit;
  int64_t factor;
};

std::span<const UnitName> unitNames();

/// The symbols of one unit, as messages list them: "B, KiB, MiB".
std::string listSymbols(Unit unit);

/// The name of the base unit: "B", "thousandths of a cycle".
std::string_view baseName(Unit unit);

/// The largest value that a file may give, in the base unit. Products of a few
/// numbers fit into 128 bits.
int64_t largest(Unit unit);

/// The exact product of a JSON number and a factor.
struct Product {
  enum class State : uint8_t { Ok, Negative, NotWhole, TooLarge };
  State state = State::Ok;
  int64_t value = 0;
};

/// Multiplies the shortest decimal that reads back as `number`, which is the
/// one in the file if that has at most 15 digits. The product may be at most
/// `limit`.
Product multiply(const nlohmann::json &number, int64_t factor, int64_t limit);

} // namespace gensyn::machine

#endif
