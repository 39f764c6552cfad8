// Reading a recipe's objects; see RecipeObject.h.

#include "gensyn/Dialect/Train/IR/RecipeObject.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <charconv>
#include <cmath>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

/// The shortest decimal that reads back as the value.
static std::string shortest(double value) {
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return std::string(buffer, end);
}

/// The value as the recipe has it, shortened.
static std::string shown(const llvm::json::Value &value) {
  std::string text;
  if (value.kind() == llvm::json::Value::Number && !value.getAsInteger())
    text = shortest(*value.getAsNumber());
  else
    text = llvm::formatv("{0}", value);
  return text.size() > 40 ? text.substr(0, 40) + "..." : text;
}

static std::string quoted(StringRef text) {
  std::string result = "'";
  for (char c : text.take_front(120))
    result += llvm::isPrint(c) ? c : '?';
  return result + (text.size() > 120 ? "...'" : "'");
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
    error() << "'" << key << "' is " << shown(*members.get(key)) << "; "
            << wanted << " is wanted";
}

/// Distance in letters, capital or not: what to change, add or leave out.
static std::string nearest(StringRef word, ArrayRef<StringRef> known) {
  // A word of a few letters is near to anything: half of it has to agree.
  size_t best = std::max<size_t>(1, word.size() / 2) + 1;
  std::string found;
  for (StringRef candidate : known) {
    size_t distance = word.edit_distance_insensitive(candidate);
    if (distance < best && word.size() <= 64) {
      best = distance;
      found = candidate.str();
    }
  }
  return found;
}

void RecipeObject::unknown(StringRef noun, StringRef word,
                           ArrayRef<StringRef> known) {
  // A word that users bring along and that no spelling leads to.
  std::string near = nearest(word, known);
  if (word == "learning_rate" && llvm::is_contained(known, "lr"))
    near = "lr";
  InFlightDiagnostic diagnostic = error();
  diagnostic << noun << " " << quoted(word) << " is not known";
  if (!near.empty())
    diagnostic << "; the nearest known one is '" << near << "'";
  if (known.empty())
    return;
  Diagnostic &note = diagnostic.attachNote() << "known are ";
  llvm::interleaveComma(known, note,
                        [&](StringRef word) { note << "'" << word << "'"; });
}

const llvm::json::Value *RecipeObject::find(StringRef key) {
  asked.insert(key.str());
  const llvm::json::Value *value = members.get(key);
  return value && !value->getAsNull() ? value : nullptr;
}

LogicalResult RecipeObject::require(StringRef key) {
  if (!has(key) && !hasFailed)
    error() << "no '" << key << "'";
  return failure(hasFailed);
}

std::string RecipeObject::text(StringRef key, StringRef otherwise) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return otherwise.str();
  if (auto string = value->getAsString(); string && !string->empty())
    return string->str();
  wrongType(key, "a name");
  return otherwise.str();
}

std::optional<double> RecipeObject::read(const llvm::json::Value &value,
                                         NumberRange range) {
  auto number = value.getAsNumber();
  return number && range.contains(*number) ? number : std::nullopt;
}

double RecipeObject::number(StringRef key, double otherwise,
                            NumberRange range) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return otherwise;
  if (auto number = read(*value, range))
    return *number;
  wrongType(key, range.describe());
  return otherwise;
}

bool RecipeObject::flag(StringRef key, bool otherwise) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return otherwise;
  if (auto flag = value->getAsBoolean())
    return *flag;
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
  const llvm::json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  auto integer = value->getAsInteger();
  if (integer && *integer >= least && *integer <= most)
    return *integer;
  wrongType(key, describeIntegers(least, most));
  return std::nullopt;
}

std::pair<double, double>
RecipeObject::pair(StringRef key, std::pair<double, double> otherwise,
                   NumberRange range) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return otherwise;
  const llvm::json::Array *list = value->getAsArray();
  if (list && list->size() == 2) {
    auto member = [&](size_t index, double absent) {
      const llvm::json::Value &value = (*list)[index];
      return value.getAsNull() ? std::optional(absent) : read(value, range);
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
  const llvm::json::Value *value = find(key);
  if (!value)
    return result;
  if (auto single = read(*value, range))
    return {*single};
  bool good = value->getAsArray();
  if (good)
    for (const llvm::json::Value &item : *value->getAsArray()) {
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
  const llvm::json::Value *value = find(key);
  if (!value)
    return result;
  bool good = value->getAsArray();
  if (good)
    for (const llvm::json::Value &item : *value->getAsArray()) {
      auto integer = item.getAsInteger();
      good &= integer && *integer >= least && *integer <= most;
      result.push_back(integer.value_or(0));
    }
  if (!good)
    wrongType(key, "a list, each entry " + describeIntegers(least, most) + ",");
  return result;
}

std::vector<std::string> RecipeObject::texts(StringRef key) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return {};
  if (auto single = value->getAsString())
    return {single->str()};
  std::vector<std::string> result;
  bool good = value->getAsArray();
  if (good)
    for (const llvm::json::Value &item : *value->getAsArray()) {
      auto text = item.getAsString();
      good &= text.has_value();
      result.push_back(text.value_or("").str());
    }
  if (!good)
    wrongType(key, "a list of names");
  return result;
}

std::optional<size_t> RecipeObject::choice(StringRef key, StringRef noun,
                                           ArrayRef<StringRef> words) {
  if (mlir::failed(require(key)))
    return std::nullopt;
  auto word = find(key)->getAsString();
  if (!word) {
    wrongType(key, "a name");
    return std::nullopt;
  }
  const auto *found = llvm::find(words, *word);
  if (found != words.end())
    return found - words.begin();
  unknown(noun, *word, words);
  return std::nullopt;
}

std::optional<RecipeObject> RecipeObject::object(StringRef key) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  if (const llvm::json::Object *members = value->getAsObject())
    return RecipeObject(name + ": " + key.str(), *members, location);
  wrongType(key, "an object");
  return std::nullopt;
}

std::vector<RecipeObject> RecipeObject::objects(StringRef key) {
  const llvm::json::Value *value = find(key);
  std::vector<RecipeObject> result;
  if (!value)
    return result;
  bool good = value->getAsArray();
  if (good)
    for (const llvm::json::Value &item : *value->getAsArray()) {
      const llvm::json::Object *members = item.getAsObject();
      good &= members != nullptr;
      std::string number = "[" + std::to_string(result.size()) + "]";
      if (members)
        result.emplace_back(name + ": " + key.str() + number, *members,
                            location);
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
  // Sorted: a JSON object of LLVM's has no order of its own.
  SmallVector<StringRef> keys;
  for (const auto &[key, value] : members)
    keys.push_back(key);
  llvm::sort(keys);
  SmallVector<StringRef> known(asked.begin(), asked.end());
  for (StringRef key : keys)
    if (!hasFailed && !asked.count(key.str()))
      unknown("key", key, known);
  return failure(hasFailed);
}
