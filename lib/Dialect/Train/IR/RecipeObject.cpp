// Reading a recipe's objects; see RecipeObject.h.

#include "gensyn/Dialect/Train/IR/RecipeObject.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

InFlightDiagnostic RecipeObject::error() {
  hasFailed = true;
  return emitError(location) << name << ": ";
}

void RecipeObject::wrongType(StringRef key, StringRef wanted) {
  if (!hasFailed)
    error() << "'" << key << "' is not " << wanted;
}

const llvm::json::Value *RecipeObject::find(StringRef key) {
  asked.insert(key.str());
  return object.get(key);
}

std::string RecipeObject::text(StringRef key, StringRef otherwise) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return otherwise.str();
  if (auto string = value->getAsString())
    return string->str();
  wrongType(key, "a string");
  return otherwise.str();
}

double RecipeObject::number(StringRef key, double otherwise) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return otherwise;
  if (auto number = value->getAsNumber())
    return *number;
  wrongType(key, "a number");
  return otherwise;
}

bool RecipeObject::flag(StringRef key, bool otherwise) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return otherwise;
  if (auto flag = value->getAsBoolean())
    return *flag;
  wrongType(key, "true or false");
  return otherwise;
}

std::optional<int64_t> RecipeObject::integer(StringRef key) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return std::nullopt;
  if (auto integer = value->getAsInteger())
    return *integer;
  wrongType(key, "an integer");
  return std::nullopt;
}

std::pair<double, double>
RecipeObject::pair(StringRef key, std::pair<double, double> otherwise) {
  const llvm::json::Value *value = find(key);
  if (!value)
    return otherwise;
  const llvm::json::Array *list = value->getAsArray();
  if (list && list->size() == 2) {
    auto first = (*list)[0].getAsNumber(), second = (*list)[1].getAsNumber();
    if (first && second)
      return {*first, *second};
  }
  wrongType(key, "a list of two numbers");
  return otherwise;
}

FloatAttr RecipeObject::numberAttr(StringRef key, double otherwise) {
  return FloatAttr::get(Float64Type::get(getContext()), number(key, otherwise));
}

BoolAttr RecipeObject::flagAttr(StringRef key, bool otherwise) {
  return BoolAttr::get(getContext(), flag(key, otherwise));
}

LogicalResult RecipeObject::finish() {
  // Sorted: a JSON object of LLVM's has no order of its own.
  SmallVector<StringRef> keys;
  for (const auto &[key, value] : object)
    keys.push_back(key);
  llvm::sort(keys);
  for (StringRef key : keys)
    if (!hasFailed && !asked.count(key.str()))
      error() << "unknown key '" << key << "'";
  return failure(hasFailed);
}
