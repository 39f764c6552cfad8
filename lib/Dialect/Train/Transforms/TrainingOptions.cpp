// Training options: reading them out of a recipe's text, what they freeze.

#include "gensyn/Dialect/Train/Transforms/TrainingStep.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

/// Whether `text` matches a pattern of `*` and `?`. Names may hold brackets and
/// braces, so these mean themselves.
static bool matches(StringRef pattern, StringRef text) {
  // After a mismatch the last star takes one character more, and only that one:
  // an earlier star could not do better.
  size_t p = 0, t = 0, star = StringRef::npos, starText = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      starText = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != StringRef::npos) {
      p = star + 1;
      t = ++starText;
    } else {
      return false;
    }
  }
  return pattern.drop_front(p).ltrim('*').empty();
}

bool TrainingOptions::freezes(StringRef name) const {
  return llvm::any_of(frozen, [&](const std::string &pattern) {
    return matches(pattern, name);
  });
}

FailureOr<TrainingOptions> train::parseTrainingOptions(StringRef kind,
                                                       StringRef recipe,
                                                       Location location) {
  auto stepKind = llvm::StringSwitch<std::optional<StepKind>>(kind)
                      .Case("infer", StepKind::Infer)
                      .Case("eval", StepKind::Eval)
                      .Case("grad", StepKind::Grad)
                      .Case("train", StepKind::Train)
                      .Default(std::nullopt);
  if (!stepKind)
    return emitError(location)
           << "unknown kind '" << kind
           << "' of program, known are infer, eval, grad, train";
  TrainingOptions options;
  options.kind = *stepKind;

  auto parsed = llvm::json::parse(recipe.trim().empty() ? "{}" : recipe);
  if (!parsed)
    return emitError(location)
           << "recipe: " << llvm::toString(parsed.takeError());
  llvm::json::Object *object = parsed->getAsObject();
  if (!object)
    return emitError(location) << "recipe: it is not a JSON object";
  auto take = [&](StringRef key, llvm::json::Object &result) -> LogicalResult {
    llvm::json::Value *value = object->get(key);
    if (!value)
      return success();
    if (!value->getAsObject())
      return emitError(location) << "recipe: '" << key << "' is not an object";
    result = std::move(*value->getAsObject());
    return success();
  };
  if (failed(take("loss", options.loss)) ||
      failed(take("optimizer", options.optimizer)))
    return failure();
  if (llvm::json::Value *value = object->get("frozen")) {
    llvm::json::Array *list = value->getAsArray();
    if (!list)
      return emitError(location) << "recipe: 'frozen' is not a list";
    for (llvm::json::Value &pattern : *list) {
      if (!pattern.getAsString())
        return emitError(location)
               << "recipe: an entry of 'frozen' is not a string";
      options.frozen.push_back(pattern.getAsString()->str());
    }
  }
  return options;
}
