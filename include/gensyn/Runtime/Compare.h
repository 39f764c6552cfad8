// Bit-for-bit comparison of tensors.
#ifndef GENSYN_RUNTIME_COMPARE_H
#define GENSYN_RUNTIME_COMPARE_H

#include "gensyn/Executable/SafeTensors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The difference between two tensors of one name.
struct Difference {
  std::string name;
  /// Why they cannot be compared ("only in the first"); then nothing else is
  /// filled in.
  std::string reason;
  int64_t elements = 0;
  int64_t different = 0;
  /// The first difference in row-major order, and the values there.
  std::vector<int64_t> index;
  std::string first;
  std::string second;
  /// The largest distance in representable values (for integers: the largest
  /// difference). A NaN against anything else counts as UINT64_MAX.
  uint64_t maxUlps = 0;
};

/// Every name whose tensors are not bit-equal, in the order of the names.
std::vector<Difference> compareTensors(const TensorFile &a,
                                       const TensorFile &b);

} // namespace gensyn::runtime

#endif
