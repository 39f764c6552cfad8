// JSON from untrusted files.
#ifndef GENSYN_EXECUTABLE_SUPPORT_JSON_H
#define GENSYN_EXECUTABLE_SUPPORT_JSON_H

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace gensyn {

/// Preserves the order in which keys were written or added.
using OrderedJson = nlohmann::ordered_json;

/// Parses a whole text. Stricter than the library: duplicate keys and nesting
/// deeper than 64 are errors. Throws a Failure (bad input) whose message begins
/// with `file` and calls the text `noun`: "recipe.json: the recipe is not JSON:
/// ...".
nlohmann::json parseJson(std::string_view text, const std::string &file,
                         const std::string &noun);

/// Prints on one line; bytes that are not UTF-8 become U+FFFD.
std::string printJson(const OrderedJson &value);

} // namespace gensyn

#endif
