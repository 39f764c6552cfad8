// The recipe's keys about metrics of a run.
#ifndef GENSYN_LIB_EXECUTABLE_RECIPEMONITORS_H
#define GENSYN_LIB_EXECUTABLE_RECIPEMONITORS_H

#include "gensyn/Executable/Recipe/Recipe.h"
#include "gensyn/Executable/Support/JsonReader.h"

namespace gensyn {

/// Reads `metrics`; the recipe's loss must have been read.
void readMetrics(JsonReader &reader, Recipe &recipe);

/// Reads `best`, `early_stopping` and a `schedule` that depends on metrics; the
/// recipe's loss and metrics must have been read.
void readMonitors(JsonReader &reader, Recipe &recipe);

} // namespace gensyn

#endif
