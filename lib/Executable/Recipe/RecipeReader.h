// One JSON object of a recipe: typed access that remembers which keys are
// known.
#ifndef GENSYN_LIB_EXECUTABLE_RECIPEREADER_H
#define GENSYN_LIB_EXECUTABLE_RECIPEREADER_H

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn {

/// Reads the members of one object. Each getter leaves `value` alone where the
/// key is missing and throws a Failure (bad input) where its type or range is
/// wrong. finish() then refuses every key that no getter asked for.
class RecipeReader {
public:
  /// `where` begins every message: "recipe.json: optimizer: ".
  RecipeReader(const nlohmann::json &object, std::string where);

  const nlohmann::json &source() const { return members; }
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
  /// A list of numbers; what they may be the compiler says.
  void numbers(const std::string &key, std::vector<double> &value);
  void texts(const std::string &key, std::vector<std::string> &value);
  /// The same; a single name is a list of one, and a null is no key.
  void textOrTexts(const std::string &key, std::vector<std::string> &value);
  /// The index of the value of `key` in `words`; the key must be there.
  size_t choice(const std::string &key, const std::vector<std::string> &words,
                const std::string &noun);
  /// A member object; `key` must be there and is known from now on.
  RecipeReader object(const std::string &key);
  /// The same of an object that the train dialect reads too, in which a null is
  /// as good as no key. None of its keys need be known here.
  RecipeReader tree(const std::string &key);

  void finish() const;
  [[noreturn]] void fail(const std::string &message) const;

private:
  [[noreturn]] void failType(const std::string &key, const std::string &wanted);

  const nlohmann::json &members;
  std::string where;
  bool skipsNulls = false;
  std::vector<std::string> known;
};

} // namespace gensyn

#endif
