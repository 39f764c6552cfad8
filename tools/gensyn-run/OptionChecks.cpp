// See OptionChecks.h.

#include "OptionChecks.h"

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/FileSet.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <map>

namespace gensyn::run {

std::optional<uint64_t> readBytes(const std::string &text) {
  uint64_t number = 0, unit = 1;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number == 0)
    return std::nullopt;
  if (rest != end) {
    const size_t shift = std::string("KMG").find(*rest++);
    if (shift == std::string::npos || rest != end)
      return std::nullopt;
    unit = uint64_t{1} << (10 * (shift + 1));
  }
  return number > UINT64_MAX / unit ? std::nullopt
                                    : std::optional(number * unit);
}

/// True if `text` is UTF-8, as names in models are.
static bool isText(const std::string &text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error &) {
    return false;
  }
}

void parseDimension(const std::string &text, Options &options) {
  size_t equals = text.find('=');
  std::string digits =
      equals == std::string::npos ? "" : text.substr(equals + 1);
  const char *begin = digits.data(), *end = begin + digits.size();
  int64_t value = 0;
  if (equals == 0 || begin == end ||
      std::from_chars(begin, end, value).ptr != end || value < 1 ||
      !isText(text))
    throw Failure(ExitCode::Usage,
                  "--dim " + quote(text) +
                      ": name=value is wanted, with a value of at least 1");
  if (!options.dims.emplace(text.substr(0, equals), value).second)
    throw Failure(ExitCode::Usage,
                  "--dim " + quote(text.substr(0, equals)) + " is given twice");
}

void checkOutputs(const Options &options) {
  std::map<std::string, std::string> names;
  for (const auto &[name, path] : {std::pair("--output", &options.package),
                                   std::pair("--outputs", &options.outputs),
                                   std::pair("--commit", &options.commit),
                                   std::pair("--trace", &options.trace),
                                   std::pair("--report", &options.report)}) {
    std::error_code error;
    if (path->empty() || std::filesystem::is_character_file(*path, error))
      continue;
    auto [other, isNew] = names.try_emplace(absolutePath(*path), name);
    if (!isNew)
      throw Failure(ExitCode::Usage, std::string(name) + " " + path->string() +
                                         ": is the file of " + other->second +
                                         ", too");
  }
}

/// True if a program of the command may need a recipe.
static bool needsRecipe(const Options &options) {
  switch (options.command) {
  case Command::Grad:
  case Command::Train:
  case Command::Eval:
    return true;
  case Command::Bench:
    return !options.kinds.empty() &&
           options.kinds.front() != ProgramKind::Infer;
  default:
    return false;
  }
}

void checkRecipe(const Options &options) {
  if (!needsRecipe(options) || !options.recipe.empty())
    return;
  try {
    if (isPackage(options.model) || options.command == Command::Train)
      return;
  } catch (const Failure &) {
    return; // opening the file reports the error
  }
  throw Failure(ExitCode::Usage, "--recipe is required",
                "gensyn-run --help lists what there is");
}

void checkPrompt(const Options &options) {
  if (options.command == Command::Generate && options.prompt.empty() &&
      options.promptTokens.empty())
    throw Failure(ExitCode::Usage, "--prompt or --prompt-tokens is required",
                  "gensyn-run --help lists what there is");
}

} // namespace gensyn::run
