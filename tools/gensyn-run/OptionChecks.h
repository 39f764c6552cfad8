// Checks of the values of options.
#ifndef GENSYN_TOOLS_GENSYN_RUN_OPTIONCHECKS_H
#define GENSYN_TOOLS_GENSYN_RUN_OPTIONCHECKS_H

#include "Options.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace gensyn::run {

/// Bytes: a whole number, with K, M or G behind it in units of 2^10, 2^20 and
/// 2^30. Nothing where it is something else, or none.
std::optional<uint64_t> readBytes(const std::string &text);

/// The folder of compiled kernels; empty if there is no home.
std::filesystem::path defaultCache();

// The following throw a Failure (usage).

/// Adds "name=value" to the dimensions that are bound.
void parseDimension(const std::string &text, Options &options);
void checkBackend(const std::string &backend);
/// A package has a recipe of its own, for anything else one is needed; of train
/// that is known when the model is, which may have training_info.
void checkRecipe(const Options &options);
/// A text has to begin with something.
void checkPrompt(const Options &options);

} // namespace gensyn::run

#endif
