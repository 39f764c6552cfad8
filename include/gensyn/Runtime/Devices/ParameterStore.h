// Tensors that persist across steps: parameters, running statistics, optimizer
// state, averages, constants.
#ifndef GENSYN_RUNTIME_DEVICES_PARAMETERSTORE_H
#define GENSYN_RUNTIME_DEVICES_PARAMETERSTORE_H

#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Runtime/Devices/Program.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace gensyn::runtime {

/// Tensors by name. The programs of one model share a store, so evaluation
/// reads the values that training updates.
class ParameterStore {
public:
  /// Adds the persistent tensors of a program. A new tensor starts with the
  /// initial value of its port; an existing one must have the same type and
  /// shape. Throws a Failure.
  void adopt(const Signature &signature);

  /// Returns the tensor of that name, which must be in an adopted signature:
  /// `at` on the host, `value` wherever it is.
  const Tensor &at(const std::string &name) const;
  Value &value(const std::string &name);
  bool has(const std::string &name) const { return entries.contains(name); }

  /// Names of tensors in a file, with their names in the store.
  using Names = std::map<std::string, std::string>;

  /// Returns the parameters and the state that belongs to the model.
  TensorMap model() const;
  Names modelNames() const { return select(Kind::Parameter, Kind::ModelState); }
  /// Replaces tensors by those of the same names in a file, such as the
  /// parameters of a run. Throws a Failure (bad input) for a tensor that is in
  /// no adopted signature, or has another type or shape; then nothing has
  /// changed.
  void replace(const TensorFile &file);
  /// Returns the state of the optimizer, including averages.
  TensorMap optimizer() const;
  Names optimizerNames() const {
    return select(Kind::OptimizerState, Kind::Average);
  }
  /// Returns model() with the averages in place of the parameters; empty if
  /// there are no averages.
  TensorMap averaged() const;
  Names averagedNames() const;
  /// Returns the tensors that no step changes.
  TensorMap constants() const;
  /// Replaces the tensors of model() and optimizer() by others of the same
  /// names, types and shapes. Throws a Failure (bad input) that begins with
  /// `where` for anything else; then nothing has changed.
  void restore(const TensorMap &model, const TensorMap &optimizer,
               const std::string &where);
  /// Throws as restore(), which would get these tensors.
  void requireFitting(const TensorHeaders &model,
                      const TensorHeaders &optimizer,
                      const std::string &where) const;
  /// Returns the total number of elements of all parameters.
  int64_t parameterCount() const;

  /// Returns the TensorDigest of model().
  std::string digest() const;

private:
  enum class Kind { Parameter, ModelState, OptimizerState, Average, Constant };
  struct Entry {
    Kind kind;
    Value value;
  };
  Names select(Kind first, Kind second) const;
  TensorMap read(const Names &names) const;

  std::map<std::string, Entry> entries;
};

/// Returns the name of the running average of a parameter.
std::string averageName(const std::string &parameter);

/// The hex BLAKE3 digest of "gensyn-parameters-1" and then, for each tensor in
/// the order of the names' bytes: the name (its length as eight bytes, little
/// end first, then its bytes), the element type's name in the same way, the
/// rank, the extents and the number of bytes as eight bytes each, and the
/// elements' bytes.
class TensorDigest {
public:
  TensorDigest() { hasher.update(kBeginning); }
  void add(const std::string &name, const Tensor &tensor);
  std::string hex() const { return hasher.hex(); }

  static constexpr std::string_view kBeginning = "gensyn-parameters-1";
  /// What is before the elements of a tensor.
  static std::string describe(const std::string &name, ElementType type,
                              const std::vector<int64_t> &shape);

private:
  Hasher hasher;
};

/// Returns the TensorDigest of a map.
std::string digestTensors(const TensorMap &tensors);

} // namespace gensyn::runtime

#endif
