// An object of a recipe whose keys are read one by one.

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

/// The finite numbers that a key accepts.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool withoutLow = false, withoutHigh = false;

  static constexpr NumberRange atLeast(double low) { return {.low = low}; }
  static constexpr NumberRange above(double low) {
    return {.low = low, .withoutLow = true};
  }
  /// A closed interval.
  static constexpr NumberRange between(double low, double high) {
    return {.low = low, .high = high};
  }
  /// A half-open interval: at least `low` and below `high`.
  static constexpr NumberRange from(double low, double high) {
    return {.low = low, .high = high, .withoutHigh = true};
  }

  bool contains(double value) const;
  /// Returns text such as "a number of at least 0 and below 1".
  std::string describe() const;
};

inline constexpr NumberRange kNotNegative = NumberRange::atLeast(0.0);

/// Reads one object of a parsed recipe (RecipeObjects in
/// gensyn/Executable/Recipe.h). Values of the wrong type or out of range and
/// unknown keys are errors, emitted at the location and prefixed with the
/// object's name. After the first error every getter returns its default. A
/// null means that the key is missing, since PyTorch's `None` becomes null. A
/// key is known after its first getter call; all getters must have been called
/// before finish().
class RecipeObject {
public:
  /// `name` is the object's place in the recipe: "recipe: optimizer". `object`
  /// must outlive this.
  RecipeObject(llvm::StringRef name, const nlohmann::json &object,
               mlir::Location location)
      : name(name), members(object), location(location) {}

  mlir::MLIRContext *getContext() const { return location.getContext(); }

  bool has(llvm::StringRef key) { return find(key) != nullptr; }
  /// Returns the value of a key that may have several types; null if it is
  /// missing.
  const nlohmann::json *find(llvm::StringRef key);
  /// Fails with "no 'key'" if it is missing.
  llvm::LogicalResult require(llvm::StringRef key);

  std::string text(llvm::StringRef key, llvm::StringRef otherwise);
  double number(llvm::StringRef key, double otherwise, NumberRange range = {});
  bool flag(llvm::StringRef key, bool otherwise);
  std::optional<int64_t>
  integer(llvm::StringRef key,
          int64_t least = std::numeric_limits<int64_t>::min(),
          int64_t most = std::numeric_limits<int64_t>::max());
  /// A list of two numbers; `otherwise` replaces a null in it.
  std::pair<double, double> pair(llvm::StringRef key,
                                 std::pair<double, double> otherwise,
                                 NumberRange range = {});
  /// Lists; empty if the key is missing. A single number is a list of one.
  std::vector<double> numbers(llvm::StringRef key, NumberRange range = {});
  std::vector<int64_t>
  integers(llvm::StringRef key,
           int64_t least = std::numeric_limits<int64_t>::min(),
           int64_t most = std::numeric_limits<int64_t>::max());
  /// A list of names; a single name is a list of one.
  std::vector<std::string> texts(llvm::StringRef key);
  /// Returns the index in `words` of the text of `key`, which must exist. An
  /// error says that the `noun` is unknown and suggests the nearest one.
  std::optional<size_t> choice(llvm::StringRef key, llvm::StringRef noun,
                               llvm::ArrayRef<llvm::StringRef> words);

  /// A member that is an object, or a list of objects; none if the key is
  /// missing. The caller must call finish() on each, and the JSON of this
  /// object must outlive them.
  std::optional<RecipeObject> object(llvm::StringRef key);
  std::vector<RecipeObject> objects(llvm::StringRef key);

  /// An f64 or a bool attribute, for the attributes of rules.
  mlir::FloatAttr numberAttr(llvm::StringRef key, double otherwise,
                             NumberRange range = {});
  mlir::BoolAttr flagAttr(llvm::StringRef key, bool otherwise);

  /// Fails if a getter emitted an error or a key was never read; must be called
  /// after all getters.
  llvm::LogicalResult finish();

  /// Emits an error that begins with the object's name.
  mlir::InFlightDiagnostic error();
  bool failed() const { return hasFailed; }

private:
  void wrongType(llvm::StringRef key, llvm::StringRef wanted);
  std::optional<double> read(const nlohmann::json &value, NumberRange range);
  /// Emits an error: `word`, a `noun`, is not one of `known`.
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
