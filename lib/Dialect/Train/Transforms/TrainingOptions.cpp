// Combines a parsed recipe and a kind of program to training options.

#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"

#include "Patterns.h"
#include "gensyn/Executable/Support/Failure.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

bool TrainingOptions::freezes(StringRef name) const {
  return matchesAny(recipe.frozen, name);
}

FailureOr<Recipe> train::readRecipe(StringRef text, Location location) {
  try {
    return parseRecipe(text.trim().empty() ? "{}" : text.str(), "recipe");
  } catch (const Failure &failure) {
    InFlightDiagnostic diagnostic = emitError(location) << failure.what();
    if (!failure.note.empty())
      diagnostic.attachNote() << failure.note;
    return diagnostic;
  }
}

FailureOr<TrainingOptions>
train::makeTrainingOptions(StringRef kind, Recipe recipe, Location location) {
  const std::optional<ProgramKind> known = programKindFromName(kind);
  if (!known || *known == ProgramKind::Initialize)
    return emitError(location)
           << "unknown kind '" << kind
           << "' of program, known are infer, eval, grad, train";
  for (const auto &[key, object] :
       {std::pair("clip", &recipe.objects.clip),
        std::pair("precision", &recipe.objects.precision)})
    if (*object && !(*object)->is_object())
      return emitError(location) << "recipe: '" << key << "' is not an object";
  TrainingOptions options;
  options.kind = *known;
  options.microbatches = recipe.accumulate;
  options.recipe = std::move(recipe);
  return options;
}

FailureOr<TrainingOptions> train::parseTrainingOptions(StringRef kind,
                                                       StringRef recipe,
                                                       Location location) {
  auto parsed = readRecipe(recipe, location);
  if (failed(parsed))
    return failure();
  return makeTrainingOptions(kind, std::move(*parsed), location);
}
