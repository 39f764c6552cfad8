// Text of programs for the tests of schedules.

#ifndef GENSYN_TEST_UNIT_CODEGEN_CPU_PROGRAMTEXT_H
#define GENSYN_TEST_UNIT_CODEGEN_CPU_PROGRAMTEXT_H

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace gensyn::cpu::testing {

/// "tensor<2x3xf32>".
std::string tensorOf(llvm::ArrayRef<int64_t> shape,
                     const std::string &element = "f32");

/// "[2, 3]".
std::string listOf(llvm::ArrayRef<int64_t> numbers);

/// The attribute `maps` of `rank` iterators: "maps [affine_map<...>, ...]".
std::string mapsOf(int rank, llvm::ArrayRef<const char *> results);

/// A contraction; `form` is the op's text from `domain` to its types.
struct ContractCase {
  const char *name;
  std::string lhs, rhs, result, form;

  /// A function of the contraction.
  std::string text() const;
};

/// A matrix product; `ta` and `tb` are true for transposed operands. An empty
/// order is that of integers.
ContractCase matmul(const char *name, int64_t m, int64_t n, int64_t k, bool ta,
                    bool tb, const std::string &order = "sequential",
                    const std::string &element = "f32",
                    const std::string &other = "f32",
                    const std::string &result = "f32");

/// Contractions other than matrix products that every target supports: views of
/// them, convolutions and their gradients.
std::vector<ContractCase> contractForms();

/// Convolutions of small images of a batch, whose columns are joined to one run
/// where that takes fewer vectors: 25 results of an image each.
std::vector<ContractCase> convolutionsOfSmallImages();

/// Returns the number of occurrences of `what` in a text.
size_t countOf(const std::string &text, const std::string &what);

} // namespace gensyn::cpu::testing

#endif
