// See ProgramOptions.h.

#include "gensyn/Runtime/Models/ProgramOptions.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Numerics/ErrorBound.h"

#include <algorithm>

namespace gensyn::runtime {

using nlohmann::json;

OrderedJson recordProgramOptions(const ModelOptions &options) {
  OrderedJson recorded;
  for (const auto &[name, size] : options.dims)
    recorded["dims"][name] = size;
  if (!options.accuracy.empty())
    recorded["accuracy"] = options.accuracy;
  if (options.integerSums)
    recorded["integer_sums"] = true;
  if (options.symbolicWeights)
    recorded["symbolic_seed"] = options.symbolicSeed;
  return recorded;
}

void applyProgramOptions(const json &recorded, const std::string &file,
                         ModelOptions &options) {
  if (recorded.is_null())
    return;
  auto require = [&](bool holds, const std::string &what) {
    if (!holds)
      failBadInput(file + ": its options: " + what);
  };
  require(recorded.is_object(), "expected an object");
  for (const auto &[name, value] : recorded.items()) {
    if (name == "dims") {
      require(value.is_object(), "'dims' is not an object");
      for (const auto &[dim, size] : value.items()) {
        require(size.is_number_integer() && size.get<int64_t>() > 0,
                "the size of " + quote(dim) + " is not a number above 0");
        options.dims.try_emplace(dim, size.get<int64_t>());
      }
    } else if (name == "accuracy") {
      require(value.is_string() &&
                  std::ranges::count(
                      accuracyNames(),
                      std::string_view(value.get_ref<const std::string &>())),
              "'accuracy' is none that there is");
      if (options.accuracy.empty())
        options.accuracy = value.get<std::string>();
    } else if (name == "integer_sums") {
      require(value.is_boolean(), "'integer_sums' is not true or false");
      options.integerSums |= value.get<bool>();
    } else if (name == "symbolic_seed") {
      require(value.is_number_unsigned(), "'symbolic_seed' is not a seed");
      if (!options.symbolicWeights)
        options.symbolicSeed = value.get<uint64_t>();
      options.symbolicWeights = true;
    } else {
      failBadInput(file + ": its options: " + quote(printable(name, 100)) +
                   " is not known");
    }
  }
}

} // namespace gensyn::runtime
