// An object of a recipe, read key by key.

#ifndef GENSYN_DIALECT_TRAIN_IR_RECIPEOBJECT_H
#define GENSYN_DIALECT_TRAIN_IR_RECIPEOBJECT_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <set>
#include <string>

namespace gensyn::train {

/// Reads `loss` or `optimizer` of a recipe. A value of a wrong type and a key
/// that nobody asked for are errors, emitted at the location with the object's
/// name in front; after the first one every question has its default answer.
class RecipeObject {
public:
  /// `name` is the object's key in the recipe.
  RecipeObject(llvm::StringRef name, const llvm::json::Object &object,
               mlir::Location location)
      : name(name), object(object), location(location) {}

  mlir::MLIRContext *getContext() const { return location.getContext(); }

  std::string text(llvm::StringRef key, llvm::StringRef otherwise);
  double number(llvm::StringRef key, double otherwise);
  bool flag(llvm::StringRef key, bool otherwise);
  std::optional<int64_t> integer(llvm::StringRef key);
  /// A list of two numbers.
  std::pair<double, double> pair(llvm::StringRef key,
                                 std::pair<double, double> otherwise);

  /// An f64 or a bool attribute, for the attributes of rules.
  mlir::FloatAttr numberAttr(llvm::StringRef key, double otherwise);
  mlir::BoolAttr flagAttr(llvm::StringRef key, bool otherwise);

  /// Fails if a question met an error or a key was never asked for; to be
  /// called when all questions have been asked.
  llvm::LogicalResult finish();

  /// An error that begins with the object's name.
  mlir::InFlightDiagnostic error();
  bool failed() const { return hasFailed; }

private:
  const llvm::json::Value *find(llvm::StringRef key);
  void wrongType(llvm::StringRef key, llvm::StringRef wanted);

  std::string name;
  const llvm::json::Object &object;
  mlir::Location location;
  std::set<std::string> asked;
  bool hasFailed = false;
};

} // namespace gensyn::train

#endif
