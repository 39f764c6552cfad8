// Reads a recipe's objects; see RecipeObject.h.

#include "gensyn/Dialect/Train/IR/RecipeObject.h"

#include "gensyn/Executable/Support/Error.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using nlohmann::json;

/// Returns the shortest decimal that parses to the value.
static std::string shortest(double value) {
  char buffer[32];
  char *end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return std::string(buffer, end);
}

/// Prints the value as it is in the recipe, on one line.
static std::string print(const json &value) {
  if (value.is_number_float())
    return shortest(value.get<double>());
  if (!value.is_structured())
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string text;
  for (const auto &[key, member] : value.items())
    text += (text.empty() ? "" : ",") +
            (value.is_object() ? json(key).dump() + ":" : "") + print(member);
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

/// The same, shortened.
static std::string shown(const json &value) {
  std::string text = print(value);
  return text.size() > 40 ? text.substr(0, 40) + "..." : text;
}

/// Returns the integer value of a number, written as 3 or as 3.0.
static std::optional<int64_t> getInteger(const json &value) {
  constexpr double limit = 0x1p63;
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX))
    return std::nullopt;
  if (value.is_number_integer())
    return value.get<int64_t>();
  if (!value.is_number_float())
    return std::nullopt;
  const double number = value.get<double>();
  if (number != std::trunc(number) || number < -limit || number >= limit)
    return std::nullopt;
  return static_cast<int64_t>(number);
}

bool NumberRange::contains(double value) const {
  return std::isfinite(value) && (withoutLow ? value > low : value >= low) &&
         (withoutHigh ? value < high : value <= high);
}

std::string NumberRange::describe() const {
  std::string text = "a number";
  bool hasLow = std::isfinite(low), hasHigh = std::isfinite(high);
  if (hasLow)
    text += (withoutLow ? " above " : " of at least ") + shortest(low);
  if (hasHigh)
    text += (hasLow ? " and" : "") + std::string(withoutHigh ? " below " : "") +
            std::string(withoutHigh ? "" : " at most ") + shortest(high);
  return text;
}

InFlightDiagnostic RecipeObject::error() {
  hasFailed = true;
  return emitError(location) << name << ": ";
}

void RecipeObject::wrongType(StringRef key, StringRef wanted) {
  if (!hasFailed)
    error() << "'" << key << "' is " << shown(members.at(key.str())) << "; "
            << wanted << " is wanted";
}

void RecipeObject::unknown(StringRef noun, StringRef word,
                           ArrayRef<StringRef> known) {
  // `learning_rate` is common in other tools but not similar to `lr`.
  std::string near = nearest(word, {known.begin(), known.end()});
  if (word == "learning_rate" && llvm::is_contained(known, "lr"))
    near = "lr";
  InFlightDiagnostic diagnostic = error();
  diagnostic << noun << " " << quote(word) << " is not known";
  if (!near.empty())
    diagnostic << "; the nearest known one is '" << near << "'";
  if (known.empty())
    return;
  Diagnostic &note = diagnostic.attachNote() << "known are ";
  llvm::interleaveComma(known, note,
                        [&](StringRef word) { note << "'" << word << "'"; });
}

const json *RecipeObject::find(StringRef key) {
  asked.insert(key.str());
  auto found = members.find(key.str());
  return found == members.end() || found->is_null() ? nullptr : &*found;
}

LogicalResult RecipeObject::require(StringRef key) {
  if (!has(key) && !hasFailed)
    error() << "no '" << key << "'";
  return failure(hasFailed);
}

std::string RecipeObject::text(StringRef key, StringRef otherwise) {
  const json *value = find(key);
  if (!value)
    return otherwise.str();
  if (value->is_string() && !value->get_ref<const std::string &>().empty())
    return value->get<std::string>();
  wrongType(key, "a name");
  return otherwise.str();
}

std::optional<double> RecipeObject::read(const json &value, NumberRange range) {
  if (!value.is_number() || !range.contains(value.get<double>()))
    return std::nullopt;
  return value.get<double>();
}

double RecipeObject::number(StringRef key, double otherwise,
                            NumberRange range) {
  const json *value = find(key);
  if (!value)
    return otherwise;
  if (auto number = read(*value, range))
    return *number;
  wrongType(key, range.describe());
  return otherwise;
}

bool RecipeObject::flag(StringRef key, bool otherwise) {
  const json *value = find(key);
  if (!value)
    return otherwise;
  if (value->is_boolean())
    return value->get<bool>();
  wrongType(key, "true or false");
  return otherwise;
}

static std::string describeIntegers(int64_t least, int64_t most) {
  std::string text = "an integer";
  bool hasLeast = least != std::numeric_limits<int64_t>::min();
  bool hasMost = most != std::numeric_limits<int64_t>::max();
  if (hasLeast && hasMost)
    text += " from " + std::to_string(least) + " to " + std::to_string(most);
  else if (hasLeast)
    text += " of at least " + std::to_string(least);
  else if (hasMost)
    text += " of at most " + std::to_string(most);
  return text;
}

std::optional<int64_t> RecipeObject::integer(StringRef key, int64_t least,
                                             int64_t most) {
  const json *value = find(key);
  if (!value)
    return std::nullopt;
  auto integer = getInteger(*value);
  if (integer && *integer >= least && *integer <= most)
    return integer;
  wrongType(key, describeIntegers(least, most));
  return std::nullopt;
}

std::pair<double, double>
RecipeObject::pair(StringRef key, std::pair<double, double> otherwise,
                   NumberRange range) {
  const json *value = find(key);
  if (!value)
    return otherwise;
  if (value->is_array() && value->size() == 2) {
    auto member = [&](size_t index, double absent) {
      const json &number = (*value)[index];
      return number.is_null() ? std::optional(absent) : read(number, range);
    };
    auto first = member(0, otherwise.first);
    auto second = member(1, otherwise.second);
    if (first && second)
      return {*first, *second};
  }
  wrongType(key, "a list of two, each " + range.describe() + ",");
  return otherwise;
}

std::vector<double> RecipeObject::numbers(StringRef key, NumberRange range) {
  std::vector<double> result;
  const json *value = find(key);
  if (!value)
    return result;
  if (auto single = read(*value, range))
    return {*single};
  bool good = value->is_array();
  if (good)
    for (const json &item : *value) {
      auto number = read(item, range);
      good &= number.has_value();
      result.push_back(number.value_or(0.0));
    }
  if (!good)
    wrongType(key, "a list, each entry " + range.describe() + ",");
  return result;
}

std::vector<int64_t> RecipeObject::integers(StringRef key, int64_t least,
                                            int64_t most) {
  std::vector<int64_t> result;
  const json *value = find(key);
  if (!value)
    return result;
  bool good = value->is_array();
  if (good)
    for (const json &item : *value) {
      auto integer = getInteger(item);
      good &= integer && *integer >= least && *integer <= most;
      result.push_back(integer.value_or(0));
    }
  if (!good)
    wrongType(key, "a list, each entry " + describeIntegers(least, most) + ",");
  return result;
}

std::vector<std::string> RecipeObject::texts(StringRef key) {
  const json *value = find(key);
  if (!value)
    return {};
  if (value->is_string())
    return {value->get<std::string>()};
  std::vector<std::string> result;
  bool good = value->is_array();
  if (good)
    for (const json &item : *value) {
      good &= item.is_string();
      result.push_back(item.is_string() ? item.get<std::string>() : "");
    }
  if (!good)
    wrongType(key, "a list of names");
  return result;
}

std::optional<size_t> RecipeObject::choice(StringRef key, StringRef noun,
                                           ArrayRef<StringRef> words) {
  if (mlir::failed(require(key)))
    return std::nullopt;
  const json *value = find(key);
  if (!value->is_string()) {
    wrongType(key, "a name");
    return std::nullopt;
  }
  const auto &word = value->get_ref<const std::string &>();
  const auto *found = llvm::find(words, word);
  if (found != words.end())
    return found - words.begin();
  unknown(noun, word, words);
  return std::nullopt;
}

std::optional<RecipeObject> RecipeObject::object(StringRef key) {
  const json *value = find(key);
  if (!value)
    return std::nullopt;
  if (value->is_object())
    return RecipeObject(name + ": " + key.str(), *value, location);
  wrongType(key, "an object");
  return std::nullopt;
}

std::vector<RecipeObject> RecipeObject::objects(StringRef key) {
  const json *value = find(key);
  std::vector<RecipeObject> result;
  if (!value)
    return result;
  bool good = value->is_array();
  if (good)
    for (const json &item : *value) {
      good &= item.is_object();
      std::string number = "[" + std::to_string(result.size()) + "]";
      if (item.is_object())
        result.emplace_back(name + ": " + key.str() + number, item, location);
    }
  if (good)
    return result;
  wrongType(key, "a list of objects");
  return {};
}

FloatAttr RecipeObject::numberAttr(StringRef key, double otherwise,
                                   NumberRange range) {
  return FloatAttr::get(Float64Type::get(getContext()),
                        number(key, otherwise, range));
}

BoolAttr RecipeObject::flagAttr(StringRef key, bool otherwise) {
  return BoolAttr::get(getContext(), flag(key, otherwise));
}

LogicalResult RecipeObject::finish() {
  SmallVector<StringRef> known(asked.begin(), asked.end());
  for (const auto &[key, value] : members.items())
    if (!hasFailed && !asked.count(key))
      unknown("key", key, known);
  return failure(hasFailed);
}
