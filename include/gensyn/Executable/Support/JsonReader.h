// Typed access to the members of a JSON object that tracks known keys.
#ifndef GENSYN_EXECUTABLE_SUPPORT_JSONREADER_H
#define GENSYN_EXECUTABLE_SUPPORT_JSONREADER_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn {

/// Reads the members of one object. Each getter leaves `value` unchanged if the
/// key is missing and throws a Failure (bad input) for a wrong type or range.
/// finish() then rejects every key that no getter read.
class JsonReader {
public:
  /// `where` begins every message: "recipe.json: optimizer: ".
  JsonReader(const nlohmann::json &object, std::string where);

  const nlohmann::json &source() const { return members; }
  const std::string &path() const { return where; }
  bool has(const std::string &key);
  void require(const std::string &key);
  const nlohmann::json *find(const std::string &key);
  void text(const std::string &key, std::string &value);
  void flag(const std::string &key, bool &value);
  void integer(const std::string &key, int64_t &value, int64_t least,
               int64_t most);
  /// A finite number that is at least `least` and below `limit`.
  void number(const std::string &key, double &value, double least,
              double limit);
  /// A list of integers from `least` to `most`, of `size` of them unless that
  /// is 0.
  void integers(const std::string &key, std::vector<int64_t> &value,
                int64_t least, int64_t most, size_t size = 0);
  /// A list of numbers; the compiler checks their ranges.
  void numbers(const std::string &key, std::vector<double> &value);
  void texts(const std::string &key, std::vector<std::string> &value);
  /// A list of texts; a single name is a list of one, and a null means that the
  /// key is missing.
  void textOrTexts(const std::string &key, std::vector<std::string> &value);
  /// Returns the index of the value of `key` in `words`; the key must exist.
  size_t choice(const std::string &key, const std::vector<std::string> &words,
                const std::string &noun);
  /// Returns the indices of a list of different words; empty if the key is
  /// missing.
  std::vector<size_t> choices(const std::string &key,
                              const std::vector<std::string> &words,
                              const std::string &noun);
  /// Returns a member object; `key` must exist and becomes known.
  JsonReader object(const std::string &key);
  /// Returns the items of a list of objects; empty if `key` is missing.
  /// Messages about one have its number and, if it has one, its name.
  std::vector<JsonReader> objects(const std::string &key);
  /// As object(), for an object that the train dialect reads too, in which a
  /// null means that the key is missing. Its keys need not be known here.
  JsonReader tree(const std::string &key);

  void finish() const;
  [[noreturn]] void fail(const std::string &message) const;
  /// Reports the value of `key`, which must exist.
  [[noreturn]] void failType(const std::string &key, const std::string &wanted);

private:
  size_t indexOf(const std::string &word, const std::vector<std::string> &words,
                 const std::string &noun) const;

  const nlohmann::json &members;
  std::string where;
  bool skipsNulls = false;
  std::vector<std::string> known;
};

} // namespace gensyn

#endif
