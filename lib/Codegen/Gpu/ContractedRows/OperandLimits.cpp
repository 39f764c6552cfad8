// See OperandLimits.h.

#include "OperandLimits.h"

#include "MaskedElements.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;

namespace gensyn::gpu {

Value allOf(KernelBuilder &k, Value condition, Value thread, int64_t threads,
            Value shared) {
  const int64_t warp = k.target.warpSize;
  Value word = arith::ExtUIOp::create(k.b, k.loc, k.b.getI32Type(), condition);
  for (int64_t mask = warp / 2; mask >= 1; mask /= 2)
    word = arith::AndIOp::create(k.b, k.loc, word, k.exchange(word, mask));
  k.when(k.equal(k.rem(thread, warp), k.constant(0)),
         [&] { k.store(word, k.at(shared, k.mul(k.div(thread, warp), 4))); });
  k.barrier();
  for (int64_t other = 0; other < threads / warp; ++other)
    word = arith::AndIOp::create(
        k.b, k.loc, word, k.load(k.b.getI32Type(), k.at(shared, 4 * other), 1));
  // The words may be written again.
  k.barrier();
  return k.less(k.constant(0), word);
}

Value hasMagnitude(KernelBuilder &k, Value value, float least, float most) {
  // Magnitudes are in the order of their bits, and NaNs above all.
  Value bits =
      k.bitAnd(arith::BitcastOp::create(k.b, k.loc, k.b.getI32Type(), value),
               0x7FFFFFFF);
  Value holds =
      k.compare(arith::CmpIPredicate::ule, bits, llvm::bit_cast<int32_t>(most));
  if (least > 0)
    holds = k.both(holds, k.compare(arith::CmpIPredicate::uge, bits,
                                    llvm::bit_cast<int32_t>(least)));
  return holds;
}

void OperandLimits::emit(KernelBuilder &k, ArrayRef<BlockArgument> operands,
                         const KernelFunction &function, Value words) {
  Value thread = k.thread(kThreads), block = k.block(kBlocks);
  Type f32 = k.b.getF32Type();
  const float limit = std::ldexp(1.0F, kOperandBits);
  Value good = arith::ConstantIntOp::create(k.b, k.loc, 1, 1);
  for (BlockArgument operand : operands) {
    Value pointer = function.inputs[operand.getArgNumber()];
    const int64_t elements = repro::elementsOf(operand),
                  width = elements % 4 == 0 ? 4 : 1, all = elements / width;
    Value first = k.add(k.mul(block, kThreads), thread);
    KernelBuilder::Values result =
        k.loop(k.constant(llvm::divideCeil(all, kBlocks * kThreads)), {good},
               [&](Value turn, ValueRange carried) -> KernelBuilder::Values {
                 Value at = k.add(k.mul(turn, kBlocks * kThreads), first);
                 // Beyond the end is another element again.
                 at = k.select(k.less(at, all), at, k.constant(0));
                 Value vector =
                     k.load(f32, k.far(pointer, at, 4 * width), width, true);
                 Value holds = carried.front();
                 for (int64_t i = 0; i < width; ++i)
                   holds = k.both(
                       holds, hasMagnitude(k, k.extract(vector, i), 0, limit));
                 return {holds};
               });
    good = result.front();
  }
  Value all = allOf(k, good, thread, kThreads, function.shared);
  k.when(k.equal(thread, k.constant(0)), [&] {
    k.store(arith::ExtUIOp::create(k.b, k.loc, k.b.getI32Type(), all),
            k.far(words, block, 4));
  });
}

Value OperandLimits::load(KernelBuilder &k, Value words, Value thread,
                          int64_t threads, Value shared) {
  Value all;
  for (int64_t first = 0; first < kBlocks; first += threads)
    all = k.both(all, k.less(k.constant(0),
                             k.load(k.b.getI32Type(),
                                    k.far(words, k.add(thread, first), 4), 1)));
  return allOf(k, all, thread, threads, shared);
}

} // namespace gensyn::gpu
