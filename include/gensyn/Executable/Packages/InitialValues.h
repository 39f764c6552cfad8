// Initial values of tensors.
#ifndef GENSYN_EXECUTABLE_PACKAGES_INITIALVALUES_H
#define GENSYN_EXECUTABLE_PACKAGES_INITIALVALUES_H

#include "gensyn/Executable/Signature.h"
#include "gensyn/Executable/Support/Files.h"

#include <map>
#include <memory>
#include <string>

namespace gensyn {

/// Loads initial values. A tensor whose file layout is the one that a program
/// needs refers to the mapped file directly, so that memory holds it once; for
/// others the pages of the file are released after copying.
class InitialValues {
public:
  /// Returns the initial tensor of a port. Throws a Failure if it has no
  /// initial value, or if a file has changed since the model was compiled.
  Tensor load(const Port &port);

private:
  Tensor loadFile(const Port &port, const std::string &which);

  std::map<std::string, std::shared_ptr<MappedFile>> files;
};

/// Sets every element to `value`, converted to the element type; integers out
/// of range are clamped.
void fillTensor(Tensor &tensor, double value);

} // namespace gensyn

#endif
