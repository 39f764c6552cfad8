// Positions on a grid: of nodes on a chip, of chips and of boards.
#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_PLACES_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_PLACES_H

#include "gensyn/Executable/Support/JsonReader.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gensyn::machine {

/// Limits on what a file may describe by repetition.
constexpr int64_t kMostNodes = 1 << 20;
constexpr int64_t kMostCores = 1 << 20;
constexpr int64_t kMostLinks = 1 << 20;
constexpr int64_t kMostMemories = 1 << 16;

/// x and y.
using Place = std::array<int64_t, 2>;

std::string printPlace(Place place);

/// Reads the two integers at `key`, which must exist.
Place readPlace(JsonReader &reader, const std::string &key);

enum class Repeats : uint8_t { Allowed, Refused };

/// Reads a list of positions [x, y] and rectangles {"from": [x, y], "size":
/// [columns, rows]}, row by row. Throws a Failure (bad input) if there are none
/// or too many.
std::vector<Place> readPlaces(JsonReader &reader, const std::string &key,
                              Repeats repeats = Repeats::Refused);

/// Throws a Failure (bad input) unless lists of pairs have the same size.
void requireSameSize(const JsonReader &reader, const std::vector<Place> &from,
                     const std::vector<Place> &to);

/// Different positions with numbers, on a plane or, with `wrap`, on a torus.
class Grid {
public:
  Grid() = default;
  explicit Grid(std::vector<Place> places);
  /// Reads `wrap` if it is there. Throws a Failure (bad input) if two positions
  /// are the same on the torus.
  Grid(JsonReader &reader, std::vector<Place> places);

  size_t size() const { return places.size(); }
  const std::vector<Place> &all() const { return places; }
  Place operator[](size_t index) const { return places[index]; }
  /// The number of a position; -1 if there is nothing.
  int64_t find(Place place) const;
  /// The same, for a position in a file: throws a Failure (bad input) if there
  /// is nothing.
  uint32_t require(const JsonReader &reader, Place place,
                   const std::string &noun) const;
  /// The remainder of dividing by `wrap`.
  Place fold(Place place) const;

private:
  std::vector<Place> places;
  std::map<Place, uint32_t> numbers;
  Place wrap = {0, 0};
};

} // namespace gensyn::machine

#endif
