// Reads positions and rectangles of positions.

#include "Places.h"

#include "gensyn/Executable/Support/Error.h"

#include <set>

namespace gensyn::machine {

static constexpr int64_t kFarthest = 1 << 20;

std::string printPlace(Place place) {
  return "[" + std::to_string(place[0]) + ", " + std::to_string(place[1]) + "]";
}

static Place readPair(JsonReader &reader, const std::string &key,
                      int64_t least) {
  reader.require(key);
  std::vector<int64_t> pair;
  reader.integers(key, pair, least, kFarthest, 2);
  return {pair[0], pair[1]};
}

Place readPlace(JsonReader &reader, const std::string &key) {
  return readPair(reader, key, -kFarthest);
}

static bool isPlace(const nlohmann::json &item) {
  auto isCoordinate = [](const nlohmann::json &number) {
    return number.is_number_integer() && number >= -kFarthest &&
           number <= kFarthest;
  };
  return item.is_array() && item.size() == 2 && isCoordinate(item[0]) &&
         isCoordinate(item[1]);
}

std::vector<Place> readPlaces(JsonReader &reader, const std::string &key,
                              Repeats repeats) {
  reader.require(key);
  const nlohmann::json &list = *reader.find(key);
  const std::string wanted =
      "a list of positions [x, y] and rectangles {\"from\": [x, y], \"size\": "
      "[columns, rows]}";
  if (!list.is_array() || list.empty())
    reader.failType(key, wanted);
  std::vector<Place> places;
  auto add = [&](Place place) {
    places.push_back(place);
    if (int64_t(places.size()) > kMostNodes)
      reader.fail(quote(key) + " has more than " + std::to_string(kMostNodes) +
                  " positions");
  };
  for (size_t i = 0; i < list.size(); ++i) {
    const nlohmann::json &item = list[i];
    if (isPlace(item)) {
      add({item[0].get<int64_t>(), item[1].get<int64_t>()});
      continue;
    }
    if (!item.is_object())
      reader.failType(key, wanted);
    JsonReader rectangle(item,
                         reader.path() + key + "[" + std::to_string(i) + "]: ");
    const Place from = readPlace(rectangle, "from");
    const Place size = readPair(rectangle, "size", 1);
    rectangle.finish();
    for (int64_t y = 0; y < size[1]; ++y)
      for (int64_t x = 0; x < size[0]; ++x)
        add({from[0] + x, from[1] + y});
  }
  std::set<Place> seen;
  for (const Place &place : places)
    if (repeats == Repeats::Refused && !seen.insert(place).second)
      reader.fail(quote(key) + ": position " + printPlace(place) +
                  " is there twice");
  return places;
}

void requireSameSize(const JsonReader &reader, const std::vector<Place> &from,
                     const std::vector<Place> &to) {
  if (from.size() != to.size())
    reader.fail("'from' has " + std::to_string(from.size()) +
                " positions and 'to' " + std::to_string(to.size()) +
                "; the same number is wanted");
}

Grid::Grid(std::vector<Place> list) : places(std::move(list)) {
  for (size_t i = 0; i < places.size(); ++i)
    numbers.emplace(places[i], uint32_t(i));
}

Grid::Grid(JsonReader &reader, std::vector<Place> list)
    : places(std::move(list)) {
  if (reader.has("wrap"))
    wrap = readPair(reader, "wrap", 1);
  for (size_t i = 0; i < places.size(); ++i) {
    places[i] = fold(places[i]);
    if (!numbers.emplace(places[i], uint32_t(i)).second)
      reader.fail("position " + printPlace(places[i]) + " is there twice");
  }
}

Place Grid::fold(Place place) const {
  for (int i = 0; i < 2; ++i)
    if (wrap[i])
      place[i] = ((place[i] % wrap[i]) + wrap[i]) % wrap[i];
  return place;
}

int64_t Grid::find(Place place) const {
  const auto found = numbers.find(fold(place));
  return found == numbers.end() ? -1 : int64_t(found->second);
}

uint32_t Grid::require(const JsonReader &reader, Place place,
                       const std::string &noun) const {
  const int64_t number = find(place);
  if (number < 0)
    reader.fail("no " + noun + " is at " + printPlace(place));
  return uint32_t(number);
}

} // namespace gensyn::machine
