// Initial values of tensors.
#ifndef GENSYN_EXECUTABLE_INITIALVALUES_H
#define GENSYN_EXECUTABLE_INITIALVALUES_H

#include "gensyn/Executable/Files.h"
#include "gensyn/Executable/Signature.h"

#include <map>
#include <memory>
#include <string>

namespace gensyn {

/// Loads initial values. A tensor that lies in its file as a program takes it
/// is that part of the mapped file, so that memory holds it once; of others the
/// pages of the file are given back.
class InitialValues {
public:
  /// The tensor that a port starts with. Throws a Failure where it has no
  /// initial value, or where a file has changed since the model was compiled.
  Tensor load(const Port &port);

private:
  Tensor loadFile(const Port &port, const std::string &which);

  std::map<std::string, std::shared_ptr<MappedFile>> files;
};

/// The bytes of a range, which must be `wanted` and have the hash that the
/// range states. Throws a Failure (bad input) that begins with `which`.
const uint8_t *readRange(const MappedFile &file,
                         const plan::Initial::File &range, uint64_t wanted,
                         const std::string &which);

/// Every element becomes `value`, converted to the element type; integers out
/// of range become the nearest.
void fillTensor(Tensor &tensor, double value);

} // namespace gensyn

#endif
