// Bit-for-bit comparison of tensors.
#ifndef GENSYN_RUNTIME_FORMATS_COMPARE_H
#define GENSYN_RUNTIME_FORMATS_COMPARE_H

#include "gensyn/Executable/Formats/SafeTensors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The difference between two tensors of the same name.
struct Difference {
  std::string name;
  /// The reason why the tensors cannot be compared ("only in the first"); then
  /// the other members are not set.
  /// members are not set.
  std::string reason;
  int64_t elements = 0;
  int64_t different = 0;
  /// Index of the first difference in row-major order, and the values there.
  std::vector<int64_t> index;
  std::string first;
  std::string second;
  /// The largest distance in representable values (for integers: the largest
  /// difference). A NaN against anything else counts as UINT64_MAX.
  uint64_t maxUlps = 0;
};

/// Returns a Difference for every name whose tensors are not bit-equal, sorted
/// by name.
std::vector<Difference> compareTensors(const TensorFile &a,
                                       const TensorFile &b);

} // namespace gensyn::runtime

#endif
