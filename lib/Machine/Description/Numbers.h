// Numbers of a machine file, with units, sources and intervals.
#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_NUMBERS_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_NUMBERS_H

#include "gensyn/Executable/Support/JsonReader.h"
#include "gensyn/Machine/Description.h"

namespace gensyn::machine {

/// Whether a number may be 0.
enum class Sign : uint8_t { NotNegative, Positive };

/// Reads `sources`, which all other numbers name.
void readSources(JsonReader &file, Description &machine);

/// Counts the source that a layout names, if it names one.
void readLayoutSource(JsonReader &reader, Description &machine);

/// Reads the number at `key`, which must exist, into the base unit, and counts
/// it for its source.
Quantity readNumber(JsonReader &parent, const std::string &key, Unit unit,
                    Description &machine, Sign sign = Sign::NotNegative);

/// Returns the index of the name at `key`, which must exist, in `names`.
uint32_t readReference(JsonReader &reader, const std::string &key,
                       const std::vector<std::string> &names,
                       const std::string &noun);

/// Reads the `name` of an item of a list, which no earlier item may have.
std::string readName(JsonReader &reader,
                     const std::vector<std::string> &earlier);

/// The names of named things.
template <typename T>
std::vector<std::string> namesOf(const std::vector<T> &things) {
  std::vector<std::string> names;
  for (const T &thing : things)
    names.push_back(thing.name);
  return names;
}

} // namespace gensyn::machine

#endif
