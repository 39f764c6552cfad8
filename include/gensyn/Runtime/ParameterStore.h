// Values that live longer than a step: parameters, running statistics, the
// state of the optimizer, averages, constants.
#ifndef GENSYN_RUNTIME_PARAMETERSTORE_H
#define GENSYN_RUNTIME_PARAMETERSTORE_H

#include "gensyn/Executable/SafeTensors.h"
#include "gensyn/Runtime/Program.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace gensyn::runtime {

/// Tensors by name. Programs of one model share a store: what training changes,
/// evaluation reads.
class ParameterStore {
public:
  /// Takes in the tensors that a program keeps. A tensor that
  /// is new starts as its port says; one that is there must have the same type
  /// and shape. Throws a Failure.
  void adopt(const Signature &signature);

  /// The tensor of that name, which an adopted signature must have: on the
  /// host, or where it is.
  const Tensor &at(const std::string &name) const;
  Value &value(const std::string &name);
  bool has(const std::string &name) const { return entries.contains(name); }

  /// Parameters and the state that belongs to the model.
  TensorMap model() const;
  /// Puts the tensors of a file, such as the parameters of a run, in the place
  /// of those of the same names. Throws a Failure (bad input) for a tensor that
  /// no adopted signature has, or of another type or shape; then nothing has
  /// changed.
  void replace(const TensorFile &file);
  /// The state of the optimizer, averages too.
  TensorMap optimizer() const;
  /// What model() would be with the averages, under their parameters' names;
  /// empty where there are none.
  TensorMap averaged() const;
  /// The values that no step changes.
  TensorMap constants() const;
  /// Puts what model() and optimizer() gave, or others of the same names, types
  /// and shapes, in their place. Throws a Failure (bad input) that begins with
  /// `where` for anything else; then nothing has changed.
  void restore(const TensorMap &model, const TensorMap &optimizer,
               const std::string &where);
  /// Elements of all parameters together.
  int64_t parameterCount() const;

  /// Hex BLAKE3 over "gensyn-parameters-1" and then, for each tensor of
  /// model() in the order of the names' bytes: the name (its length as eight
  /// bytes, little end first, then its bytes), the element type's name in the
  /// same way, the rank, the extents and the number of bytes as eight bytes
  /// each, and the elements' bytes.
  std::string digest() const;

private:
  enum class Kind { Parameter, ModelState, OptimizerState, Average, Constant };
  struct Entry {
    Kind kind;
    Value value;
  };
  TensorMap select(Kind first, Kind second) const;

  std::map<std::string, Entry> entries;
};

/// The name of the running average of a parameter.
std::string averageName(const std::string &parameter);

/// The digest that ParameterStore::digest describes, of any tensors.
std::string digestTensors(const TensorMap &tensors);

} // namespace gensyn::runtime

#endif
