// See GemmResults.h.

#include "GemmResults.h"

using namespace mlir;

namespace gensyn::cpu {

Value GemmResults::hasFlag(int64_t bit) { return code.hasFlag(flags, bit); }

void GemmResults::store(const Column &column, Value c, ArrayRef<Value> values) {
  const int64_t rowStride = codegen::lineOfRows(view).stride,
                laneStride = pieceInC(view).stride;
  const Value first = ofC.at(c, column.entry(1)), count = column.entry(0);
  Sums sums;
  sums.values = Values(values);
  for (size_t r = 0; r < values.size(); ++r)
    sums.addresses.push_back(ofC.at(first, int64_t(r) * rowStride));
  if (laneStride > 1) {
    const StridedLanes strided(code, ofC, laneStride, count);
    sums.strided = &strided;
    return storeLanes(column, sums);
  }
  if (!column.mayBePartial)
    return storeLanes(column, sums);
  // A vector without a mask is stored much faster than others.
  const Value together = isJoined(view) ? column.entry(kTableEntries) : count;
  Value isWhole = code.compare(arith::CmpIPredicate::eq, together,
                               code.constant(code.lanes));
  code.when(
      isWhole, [&] { storeLanes(column, sums); },
      [&] {
        sums.lanes.mask = code.firstLanes(count);
        if (isJoined(view))
          sums.lanes = lanesOfJoined(
              code, sums.lanes.mask, together,
              code.sub(column.entry(kTableEntries + 1), column.entry(1)));
        storeLanes(column, sums);
      });
}

// The first block needs no addition to +0: it could only change the sign of a
// zero, which contract_r3 sets at the end.
void GemmResults::storeLanes(const Column &column, const Sums &sums) {
  const SmallVector<Type> types(sums.values.size(), code.vector);
  auto unchanged = [](const Values &values) { return [&] { return values; }; };
  Values added = code.choose(
      hasFlag(GemmFlags::kAddsToC), types,
      [&] {
        Values result;
        for (auto [value, address] :
             llvm::zip_equal(sums.values, sums.addresses))
          result.push_back(code.addElements(load(sums, address), value));
        return result;
      },
      unchanged(sums.values));
  auto closed = [&] {
    Values result;
    for (Value value : added)
      result.push_back(code.canonical(code.addElements(value, code.zero())));
    return result;
  };
  const Value isFinal = hasFlag(GemmFlags::kFinal);
  if (!epilogue)
    return store(sums, code.choose(isFinal, types, closed, unchanged(added)));
  code.when(
      isFinal,
      [&] {
        for (auto [r, value] : llvm::enumerate(closed()))
          epilogue->computeVector(block, code.add(block.row, int64_t(r)),
                                  column.number, sums.lanes, value);
      },
      [&] { store(sums, added); });
}

Value GemmResults::load(const Sums &sums, Value address) {
  if (sums.strided)
    return sums.strided->load(address);
  Value value = ofC.load(address, sums.lanes.mask);
  const Value second = sums.lanes.second;
  if (!second)
    return value;
  return code.select(
      second, ofC.load(ofC.at(address, sums.lanes.shift), second), value);
}

void GemmResults::store(const Sums &sums, const Values &values) {
  const Value second = sums.lanes.second;
  for (auto [value, address] : llvm::zip_equal(values, sums.addresses)) {
    if (sums.strided) {
      sums.strided->store(value, address);
      continue;
    }
    ofC.store(value, address, sums.lanes.mask);
    if (second)
      ofC.store(value, ofC.at(address, sums.lanes.shift), second);
  }
}

} // namespace gensyn::cpu
