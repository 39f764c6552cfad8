// The numbers of a machine file by their paths, to list and to change them.

#ifndef GENSYN_MACHINE_MACHINENUMBERS_H
#define GENSYN_MACHINE_MACHINENUMBERS_H

#include "gensyn/Machine/Description.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::machine {

/// A number of a machine file.
struct MachineNumber {
  /// Names and members that lead to it, without the list that they are in:
  /// "dram.bandwidth", "mac.multiply_add.i8.energy", "network.mesh.latency".
  /// With the list where two would be the same.
  std::string path;
  /// The same as a JSON pointer: "/memories/4/bandwidth".
  std::string pointer;
  Quantity quantity;
  /// The unit in which the file gives it, and how many base units that is.
  std::string symbol;
  int64_t factor = 1;
};

/// All numbers of a machine, in the order of its file.
std::vector<MachineNumber> listNumbers(const Description &machine);

/// Returns the number of a path. Throws a Failure (usage) if there is none.
const MachineNumber &findNumber(std::span<const MachineNumber> numbers,
                                std::string_view path);

/// Parses a value for a number: a decimal, with a unit or, for sizes, with K, M
/// or G for KiB, MiB and GiB; without, in the unit of the file. Returns it in
/// base units, rounded. Throws a Failure (usage).
int64_t parseValue(const MachineNumber &number, std::string_view text);

/// A number and the value that it gets, in base units.
struct NumberChange {
  const MachineNumber *number;
  int64_t value;
};

/// The text of a machine file with some numbers changed. Their source is one of
/// its own, an assumption, with an interval from the old value to the new one.
/// Without a change it is the text itself.
std::string changeNumbers(std::string_view text,
                          std::span<const NumberChange> changes);

/// The name of a base unit: "B", "thousandths of a cycle".
std::string_view unitName(Unit unit);
/// "measured", "datasheet", "paper", "assumed"
std::string_view nameOf(Source::Kind kind);

/// Prints a value in the largest unit of which it is at least one, rounded to
/// thousandths: "6.4 GB/s", "128 KiB".
std::string printQuantity(int64_t value, Unit unit);
/// The same with "[low, high]" behind it, unless both are the value.
std::string printQuantity(const Quantity &number);

} // namespace gensyn::machine

#endif
