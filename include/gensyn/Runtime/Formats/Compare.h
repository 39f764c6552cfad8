// Bit-for-bit comparison of tensors.
#ifndef GENSYN_RUNTIME_FORMATS_COMPARE_H
#define GENSYN_RUNTIME_FORMATS_COMPARE_H

#include "gensyn/Executable/Formats/SafeTensors.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The distance of a NaN from anything else.
inline constexpr uint64_t kNanUlps = std::numeric_limits<uint64_t>::max();

/// The difference between two tensors of the same name.
struct Difference {
  std::string name;
  /// The reason why the tensors cannot be compared ("only in the first"); then
  /// the other members are not set.
  std::string reason;
  int64_t elements = 0;
  int64_t different = 0;
  /// Index of the first difference in row-major order, and the values there.
  std::vector<int64_t> index;
  std::string first;
  std::string second;
  /// The largest distance in representable values (for integers: the largest
  /// difference). A NaN against anything else counts as kNanUlps.
  uint64_t maxUlps = 0;
};

/// Returns a Difference for every name whose tensors are not bit-equal, sorted
/// by name.
std::vector<Difference> compareTensors(const TensorFile &a,
                                       const TensorFile &b);

/// The number of elements of a tensor.
int64_t countElements(const TensorEntry &entry);

/// Calls `visit` with each element whose bits differ, in row-major order, and
/// the distance as in Difference::maxUlps, at least 1. The tensors have the
/// same type and shape.
void visitDifferences(
    const TensorEntry &a, const TensorEntry &b,
    const std::function<void(int64_t element, uint64_t ulps)> &visit);

/// The value of an element, with enough digits to distinguish any two of its
/// type: "0.100000001".
std::string printElement(const TensorEntry &entry, int64_t element);
/// The bytes of an element as one number: "0x3dcccccd".
std::string printElementBits(const TensorEntry &entry, int64_t element);
/// The index of an element in each dimension.
std::vector<int64_t> indexOfElement(const TensorEntry &entry, int64_t element);

} // namespace gensyn::runtime

#endif
