// An object of a recipe, read key by key.

#ifndef GENSYN_DIALECT_TRAIN_IR_RECIPEOBJECT_H
#define GENSYN_DIALECT_TRAIN_IR_RECIPEOBJECT_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"

#include <nlohmann/json_fwd.hpp>

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gensyn::train {

/// The finite numbers that a key takes.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool withoutLow = false, withoutHigh = false;

  static constexpr NumberRange atLeast(double low) { return {.low = low}; }
  static constexpr NumberRange above(double low) {
    return {.low = low, .withoutLow = true};
  }
  /// Both ends belong to it.
  static constexpr NumberRange between(double low, double high) {
    return {.low = low, .high = high};
  }
  /// At least `low` and below `high`.
  static constexpr NumberRange from(double low, double high) {
    return {.low = low, .high = high, .withoutHigh = true};
  }

  bool contains(double value) const;
  /// "a number of at least 0 and below 1".
  std::string describe() const;
};

inline constexpr NumberRange kNotNegative = NumberRange::atLeast(0.0);

/// Reads one object of a parsed recipe (RecipeObjects in
/// gensyn/Executable/Recipe.h). A value of a wrong type or out of its range
/// and a key that nobody asked for are errors, emitted at the location with the
/// object's name in front; after the first one every question has its default
/// answer. A null is as good as no key: so PyTorch's `None` reads. Keys are
/// known from the first question on; all must have been asked when finish() is
/// called.
class RecipeObject {
public:
  /// `name` is where the object stands: "recipe: optimizer".
  /// `object` outlives this.
  RecipeObject(llvm::StringRef name, const nlohmann::json &object,
               mlir::Location location)
      : name(name), members(object), location(location) {}

  mlir::MLIRContext *getContext() const { return location.getContext(); }

  bool has(llvm::StringRef key) { return find(key) != nullptr; }
  /// The value of a key, null if it is missing: for what has several types.
  const nlohmann::json *find(llvm::StringRef key);
  /// Fails with "no 'key'" where it is missing.
  llvm::LogicalResult require(llvm::StringRef key);

  std::string text(llvm::StringRef key, llvm::StringRef otherwise);
  double number(llvm::StringRef key, double otherwise, NumberRange range = {});
  bool flag(llvm::StringRef key, bool otherwise);
  std::optional<int64_t>
  integer(llvm::StringRef key,
          int64_t least = std::numeric_limits<int64_t>::min(),
          int64_t most = std::numeric_limits<int64_t>::max());
  /// A list of two numbers; a null in it stands for the number of `otherwise`.
  std::pair<double, double> pair(llvm::StringRef key,
                                 std::pair<double, double> otherwise,
                                 NumberRange range = {});
  /// Lists; empty where the key is missing. A single number is a list of one.
  std::vector<double> numbers(llvm::StringRef key, NumberRange range = {});
  std::vector<int64_t>
  integers(llvm::StringRef key,
           int64_t least = std::numeric_limits<int64_t>::min(),
           int64_t most = std::numeric_limits<int64_t>::max());
  /// A list of names; a single name stands for a list of one.
  std::vector<std::string> texts(llvm::StringRef key);
  /// The index in `words` of the text of `key`, which must be there. An error
  /// says that a `noun` of that name is not known, and which one is the
  /// nearest.
  std::optional<size_t> choice(llvm::StringRef key, llvm::StringRef noun,
                               llvm::ArrayRef<llvm::StringRef> words);

  /// A member that is an object, or a list of objects; none where the key is
  /// missing. Each is finished by who asked for it, and lives no longer than
  /// the JSON of this one.
  std::optional<RecipeObject> object(llvm::StringRef key);
  std::vector<RecipeObject> objects(llvm::StringRef key);

  /// An f64 or a bool attribute, for the attributes of rules.
  mlir::FloatAttr numberAttr(llvm::StringRef key, double otherwise,
                             NumberRange range = {});
  mlir::BoolAttr flagAttr(llvm::StringRef key, bool otherwise);

  /// Fails if a question met an error or a key was never asked for; to be
  /// called when all questions have been asked.
  llvm::LogicalResult finish();

  /// An error that begins with the object's name.
  mlir::InFlightDiagnostic error();
  bool failed() const { return hasFailed; }

private:
  void wrongType(llvm::StringRef key, llvm::StringRef wanted);
  std::optional<double> read(const nlohmann::json &value, NumberRange range);
  /// Says that `word`, a `noun`, is not one of `known`.
  void unknown(llvm::StringRef noun, llvm::StringRef word,
               llvm::ArrayRef<llvm::StringRef> known);

  std::string name;
  const nlohmann::json &members;
  mlir::Location location;
  std::set<std::string> asked;
  bool hasFailed = false;
};

} // namespace gensyn::train

#endif
