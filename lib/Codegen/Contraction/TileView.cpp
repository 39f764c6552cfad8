// Views of tiles at any position; see ContractView.h.

#include "ViewBuilder.h"

#include "gensyn/Numerics/Sizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::codegen {
namespace {

/// True if an expression reaches each index below its extent.
bool coversExtent(const LinearIndex &index, ArrayRef<int64_t> extents) {
  // Limit for windows; larger expressions are not analyzed.
  constexpr int64_t mostValues = 1 << 24;
  SmallVector<std::pair<int64_t, int64_t>> terms; // step, count
  int64_t product = 1;
  for (auto [step, count] : llvm::zip_equal(index.steps, extents)) {
    if (step == 0 || count == 1)
      continue;
    if (count == 0)
      return index.extent == 0;
    terms.push_back({step, count});
    product = saturatingMultiply(product, count);
  }
  if (terms.size() == 1)
    return rangeInside(index.constant, terms[0].first, terms[0].second,
                       index.extent)
               .count == index.extent;
  if (product > mostValues)
    return false;
  SmallVector<int64_t> values{index.constant};
  for (auto [step, count] : terms) {
    const size_t known = values.size();
    for (int64_t i = 1; i < count; ++i)
      for (size_t j = 0; j < known; ++j)
        values.push_back(values[j] + i * step);
  }
  return llvm::count_if(values, [&](int64_t value) {
           return value >= 0 && value < index.extent;
         }) == index.extent;
}

/// True if each element of the result is reached. Parallel iterators reach
/// different elements (domain_c3), so counting suffices, per dimension if no
/// two dimensions share iterators. (An iterator with no values reaches nothing,
/// even if no expression has it.)
bool coversResult(repro::DomainAttr domain, ArrayRef<LinearIndex> indices,
                  ArrayRef<int64_t> extents) {
  for (unsigned i = 0; i < extents.size(); ++i)
    if ((extents[i] == 0 && !domain.isReduced(i)) ||
        llvm::count_if(indices, [&](const LinearIndex &index) {
          return index.steps[i] != 0;
        }) > 1)
      return false;
  return llvm::all_of(indices, [&](const LinearIndex &index) {
    return coversExtent(index, extents);
  });
}

class TileViewBuilder : ViewBuilder {
public:
  using ViewBuilder::ViewBuilder;

  /// Sets the reason if there is no view.
  std::optional<ContractView> build(StringRef &reason) {
    auto fail = [&](StringRef why) {
      reason = why;
      return std::nullopt;
    };
    auto chain = chainLength(op);
    if (!chain)
      return fail("its order is neither sequential nor blocks of that");
    if (!hasWideTypes(op))
      return fail("its result is neither f32, f64 nor integers of whole bytes, "
                  "or an operand is i1");
    if (!hasElements(op) || op.getDomain().getNumPoints() == 0)
      return fail("it has no points or no results");
    if (!coversResult(op.getDomain(), indices[2], extents))
      return fail("its result has elements that nothing reaches");
    // B is the operand with the iterator along the result's innermost
    // dimension.
    std::optional<unsigned> innermost;
    for (int64_t parallel : op.getDomain().getParallel()) {
      const auto i = unsigned(parallel);
      if (extents[i] > 1 && !isSkipping(i) && strideOf(indices[2], i) >= 0 &&
          (!innermost ||
           strideOf(indices[2], i) < strideOf(indices[2], *innermost)))
        innermost = i;
    }
    if (innermost &&
        uses(indices[0], *innermost) == uses(indices[1], *innermost))
      return fail("the result's last dimension is in both operands");
    if (!sortIterators(innermost && uses(indices[0], *innermost),
                       /*canSkip=*/true))
      return fail("an iterator moves backwards in its result");
    gemm().blockSize = *chain;
    return result;
  }
};

} // namespace

std::optional<ContractView> viewContractTiles(repro::ContractOp op,
                                              StringRef *reason) {
  StringRef unused;
  const ContractIndices indices = indicesOf(op);
  return TileViewBuilder(op, indices, op.getDomain().getExtents())
      .build(reason ? *reason : unused);
}

} // namespace gensyn::codegen
