// The targets of Gpu.def, and what they have in common; see Target.h.

#include "gensyn/Codegen/Gpu/Target.h"

#include "Nvvm/NvvmTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <memory>
#include <vector>

using namespace mlir;

namespace gensyn::gpu {

Value GpuTarget::shuffle(OpBuilder &b, Location loc, Value value,
                         ShuffleKind kind, Value lane, int64_t width) const {
  const Type type = value.getType();
  const unsigned bitWidth = type.getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(bitWidth), i32 = b.getI32Type(),
       i64 = b.getI64Type();
  auto shuffled = [&](Value word) {
    return shuffleWord(b, loc, word, kind, lane, width);
  };
  if (type != bits)
    value = arith::BitcastOp::create(b, loc, bits, value);
  if (bitWidth < 32) {
    value = arith::ExtUIOp::create(b, loc, i32, value);
    value = arith::TruncIOp::create(b, loc, bits, shuffled(value));
  } else if (bitWidth == 32) {
    value = shuffled(value);
  } else {
    Value shift = arith::ConstantIntOp::create(b, loc, i64, 32);
    auto half = [&](Value wide) -> Value {
      Value word = shuffled(arith::TruncIOp::create(b, loc, i32, wide));
      return arith::ExtUIOp::create(b, loc, i64, word);
    };
    Value low = half(value);
    Value high = arith::ShRUIOp::create(b, loc, value, shift);
    high = arith::ShLIOp::create(b, loc, half(high), shift);
    value = arith::OrIOp::create(b, loc, low, high);
  }
  return type == bits ? value : arith::BitcastOp::create(b, loc, type, value);
}

Value GpuTarget::exchange(OpBuilder &b, Location loc, Value value,
                          int64_t mask) const {
  return shuffle(b, loc, value, ShuffleKind::Xor,
                 arith::ConstantIntOp::create(b, loc, mask, 32), warpSize);
}

/// Returns the targets in the order of Gpu.def, all of one vendor.
static const std::vector<std::unique_ptr<GpuTarget>> &getTargets() {
  static const auto targets = [] {
    std::vector<std::unique_ptr<GpuTarget>> list;
    for (const machine::Gpu &gpu : machine::getGpus())
      list.push_back(createNvvmTarget(gpu));
    return list;
  }();
  return targets;
}

const Target &getTarget(const machine::Gpu &gpu) {
  const auto &targets = getTargets();
  const auto found = llvm::find_if(
      targets, [&](const auto &target) { return target->sm == gpu.sm; });
  assert(found != targets.end() && "expected a generation of Gpu.def");
  return **found;
}

void registerTargetDialects(DialectRegistry &registry) {
  for (const auto &target : getTargets())
    target->registerDialects(registry);
}

} // namespace gensyn::gpu
