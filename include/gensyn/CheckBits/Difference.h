// The first difference between two runs of a program.

#ifndef GENSYN_CHECKBITS_DIFFERENCE_H
#define GENSYN_CHECKBITS_DIFFERENCE_H

#include "gensyn/Numerics/Tensor.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace gensyn::checkbits {

/// The first element of the first result whose bits differ.
struct Difference {
  unsigned result = 0;
  ElementType type = ElementType::F32;
  std::vector<int64_t> index;
  uint64_t expected = 0, found = 0; ///< the element's bits

  /// "result 0, element [2, 3]: expected 0x7FC00000 (nan), found 0xFFC00000
  /// (-nan), f32"
  std::string describe() const;
};

/// The first difference; nothing if all bits are equal. Both runs must have the
/// same number of results, of equal types and shapes.
std::optional<Difference> findDifference(llvm::ArrayRef<Tensor> expected,
                                         llvm::ArrayRef<Tensor> found);

/// The bits of element `i`, zero-extended.
uint64_t bitsOf(const Tensor &tensor, int64_t i);

} // namespace gensyn::checkbits

#endif
