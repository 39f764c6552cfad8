// show and check of a commitment to an inference.
#ifndef GENSYN_TOOLS_GENSYN_VERIFY_INFERENCECOMMANDS_H
#define GENSYN_TOOLS_GENSYN_VERIFY_INFERENCECOMMANDS_H

#include "Commands.h"

namespace gensyn::verify {

/// True if the argument is a file, as `gensyn-run infer --commit` writes it,
/// and not the folder of a training run.
bool isInference(const Options &options);

/// Throws a Failure (usage) for options of check that a run folder lacks or has
/// no use for.
void requireRunOptions(const Options &options);

ExitCode showInference(const Options &options);
ExitCode checkInference(const Options &options);

} // namespace gensyn::verify

#endif
