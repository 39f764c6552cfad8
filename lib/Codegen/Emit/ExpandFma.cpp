// Expands math.fma to other instructions, with the same bits.

#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Codegen/Emit/Passes.h"
#include "gensyn/Numerics/EmulatedFma.h"
#include "gensyn/Numerics/Fma.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace gensyn::emit {
#define GEN_PASS_DEF_EXPANDFMAPASS
#include "gensyn/Codegen/Emit/Passes.h.inc"

namespace {

struct ExpandFma final : impl::ExpandFmaPassBase<ExpandFma> {
  void runOnOperation() override {
    SmallVector<math::FmaOp> ops;
    getOperation()->walk([&](math::FmaOp op) { ops.push_back(op); });
    for (math::FmaOp op : ops) {
      OpBuilder builder(op);
      Type element = getElementTypeOrSelf(op.getType());
      Value result =
          element.isF32() ? expandF32(op, builder) : expandF64(op, builder);
      op.replaceAllUsesWith(result);
      op.erase();
    }
  }

  static Value expandF32(math::FmaOp op, OpBuilder &builder) {
    auto vector = dyn_cast<VectorType>(op.getType());
    Emit emit(builder, op.getLoc(), vector ? vector.getNumElements() : 0);
    auto operand = [&](Value x) { return Emit::F32{&builder, x}; };
    return functions::fmaThroughF64(emit, operand(op.getA()),
                                    operand(op.getB()), operand(op.getC()))
        .value;
  }

  // A call, since each function has tens of them.
  static Value expandF64(math::FmaOp op, OpBuilder &builder) {
    return func::CallOp::create(builder, op.getLoc(), getFunction(op),
                                op.getOperands())
        .getResult(0);
  }

  static func::FuncOp getFunction(math::FmaOp op) {
    auto vector = dyn_cast<VectorType>(op.getType());
    const int64_t lanes = vector ? vector.getNumElements() : 0;
    const std::string name = "gensyn_fma_f64x" + std::to_string(lanes);
    Operation *table = SymbolTable::getNearestSymbolTable(op);
    if (Operation *found = SymbolTable::lookupSymbolIn(table, name))
      return cast<func::FuncOp>(found);
    OpBuilder builder = OpBuilder::atBlockBegin(&table->getRegion(0).front());
    Type type = op.getType();
    auto function =
        func::FuncOp::create(builder, op.getLoc(), name,
                             builder.getFunctionType({type, type, type}, type));
    function.setPrivate();
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    Emit emit(builder, op.getLoc(), lanes);
    auto operand = [&](unsigned i) {
      return Emit::F64{&builder, entry->getArgument(i)};
    };
    Value result = emulatedFma(emit, operand(0), operand(1), operand(2)).value;
    func::ReturnOp::create(builder, op.getLoc(), result);
    return function;
  }
};
} // namespace
} // namespace gensyn::emit
