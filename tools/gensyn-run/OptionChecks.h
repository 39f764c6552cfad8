// Checks of the values of options.
#ifndef GENSYN_TOOLS_GENSYN_RUN_OPTIONCHECKS_H
#define GENSYN_TOOLS_GENSYN_RUN_OPTIONCHECKS_H

#include "Options.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gensyn::run {

/// Parses a number of bytes: an integer, with an optional suffix K, M or G in
/// units of 2^10, 2^20 and 2^30. std::nullopt for any other text, or an empty
/// one.
std::optional<uint64_t> readBytes(const std::string &text);

// The following throw a Failure (usage).

/// Adds "name=value" to the bound dimensions.
void parseDimension(const std::string &text, Options &options);
/// Checks that a recipe is given for anything but a package, which has its own.
/// For train this is checked when the model is known, since it may have
/// training_info.
void checkRecipe(const Options &options);
/// Checks that no two outputs of map and simulate are one file.
void checkOutputs(const Options &options);
/// Checks that there is a prompt for the text.
void checkPrompt(const Options &options);

} // namespace gensyn::run

#endif
