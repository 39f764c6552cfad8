// Reads run folders to compare them; see ReadRun.h.

#include "ReadRun.h"

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/Support/Printable.h"

#include <string_view>

namespace gensyn::runtime {

namespace fs = std::filesystem;
using nlohmann::json;

static constexpr size_t kLongestValue = 200;

void visitLog(const fs::path &folder,
              const std::function<void(const json &)> &visit) {
  const fs::path path = folder / "log.jsonl";
  const MappedFile file(path);
  std::string_view text(reinterpret_cast<const char *>(file.data()),
                        file.size());
  for (int64_t line = 1; !text.empty(); ++line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos)
      break;
    const json row = json::parse(text.substr(0, end), nullptr,
                                 /*allow_exceptions=*/false);
    if (!row.is_object() || !row.contains("step") ||
        !row["step"].is_number_integer())
      failBadInput(path.string() + ": line " + std::to_string(line) +
                       " is not a JSON object with a step",
                   "log.jsonl of a run folder of gensyn-run train is wanted");
    visit(row);
    text.remove_prefix(end + 1);
  }
}

static std::string printShort(const json &value) {
  if (value.is_null())
    return "nothing";
  return printable(value.is_string() ? value.get<std::string>()
                                     : printJson(value),
                   kLongestValue);
}

/// The value of a key such as "optimizer/lr".
static json findKey(const json &recipe, const std::string &key) {
  try {
    const json::json_pointer place("/" + key);
    return recipe.contains(place) ? recipe.at(place) : json();
  } catch (const json::exception &) {
    return json(); // a key of a stranger, such as "~"
  }
}

std::optional<SettingDifference> compareSettings(const std::string &name,
                                                 const json &first,
                                                 const json &second) {
  if (first == second)
    return std::nullopt;
  return SettingDifference{name, printShort(first), printShort(second)};
}

std::optional<SettingDifference> compareRecipes(const json &first,
                                                const json &second) {
  if (!first.is_object() || !second.is_object())
    return std::nullopt;
  const std::string key = differenceOfRuns(first, second);
  if (key.empty())
    return std::nullopt;
  return SettingDifference{"recipe: " + printable(key, kLongestValue),
                           printShort(findKey(first, key)),
                           printShort(findKey(second, key))};
}

} // namespace gensyn::runtime
