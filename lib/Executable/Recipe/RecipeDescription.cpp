// Descriptions of recipes, and pattern matching.

#include "gensyn/Executable/Recipe/Recipe.h"

#include "RecipeDescription.h"

#include <algorithm>

namespace gensyn {

using nlohmann::json;

/// Describes a value; a list of objects, or of more than a few values, is only
/// counted.
static std::string describeValue(const json &value) {
  constexpr size_t few = 4;
  if (!value.is_array())
    return value.is_string()   ? value.get<std::string>()
           : value.is_object() ? "of " + std::to_string(value.size())
                               : value.dump();
  bool isPlain = value.size() <= few;
  for (const json &item : value)
    isPlain &= item.is_primitive();
  if (!isPlain)
    return "of " + std::to_string(value.size());
  std::string text;
  for (const json &item : value)
    text += (text.empty() ? "" : " ") + describeValue(item);
  return text;
}

/// Returns ", key value" for each member that is not in `without`.
static std::string
describeMembers(const json &object,
                std::initializer_list<const char *> without) {
  std::string text;
  for (const auto &[key, value] : object.items()) {
    if (std::find(without.begin(), without.end(), key) != without.end() ||
        value == json(false) || value.is_null())
      continue;
    text += ", " + key;
    if (!value.is_boolean())
      text += " " + describeValue(value);
  }
  return text;
}

/// Returns the text of a key; values that the compiler would reject are shown
/// unchanged.
static std::string textOf(const json &object, const char *key,
                          const char *otherwise) {
  auto found = object.find(key);
  return found == object.end() ? otherwise : describeValue(*found);
}

std::string describeObject(const json &object) {
  std::string members = describeMembers(object, {"kind", "lr"});
  if (object.contains("lr") && !object["lr"].is_null())
    members = ", lr " + describeValue(object["lr"]) + members;
  std::string text = textOf(object, "kind", "");
  return members.empty() ? text : text + " (" + members.substr(2) + ")";
}

std::string describeLoss(const json &loss) {
  std::string text = textOf(loss, "kind", "");
  for (const char *key : {"logits", "prediction", "output"})
    if (loss.contains(key))
      text += " of '" + textOf(loss, key, "") + "'";
  // A loss that the graph computes has neither.
  if (textOf(loss, "kind", "") != "graph_output")
    text += " against '" + textOf(loss, "target", "target") + "', " +
            textOf(loss, "reduction", "mean");
  return text + describeMembers(loss, {"kind", "logits", "prediction", "output",
                                       "target", "reduction"});
}

std::string describe(const OptimizerSpec &optimizer) { return optimizer.words; }

std::string describe(const LossSpec &loss) { return loss.words; }

bool matchesPattern(std::string_view pattern, std::string_view text) {
  // The last star, and the length of the text that it matches: backtracking to
  // it suffices, so no pattern takes exponential time.
  size_t p = 0, t = 0, star = std::string_view::npos, swallowed = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      swallowed = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++swallowed;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

} // namespace gensyn
