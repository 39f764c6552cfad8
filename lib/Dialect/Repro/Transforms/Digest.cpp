// The identity of a frozen program: BLAKE3 of all of it, in the form of
// Encoder.h. The places of constants, which folding determines, do not matter.

#include "Encoder.h"

#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Numerics/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
class DigestEncoder final : public Encoder {
public:
  LogicalResult encode(func::FuncOp function);
  std::string finish() {
    auto digest = hash.final();
    return llvm::toHex(llvm::ArrayRef<uint8_t>(digest), /*LowerCase=*/true);
  }

protected:
  void bytes(StringRef bytes) override { hash.update(bytes); }
  void elements(const Tensor &tensor) override {
    hash.update(StringRef(reinterpret_cast<const char *>(tensor.data()),
                          tensor.byteSize()));
  }
  LogicalResult operand(Operation &op, OpOperand &operand) override;
  /// A region is isolated from above, so its values are numbered in their
  /// order.
  void define(Value value) override {
    numbering.try_emplace(value, numbering.size());
  }

private:
  llvm::BLAKE3 hash;
  llvm::DenseMap<Value, int64_t> numbering;
};
} // namespace

/// Writes a constant at its first use.
LogicalResult DigestEncoder::operand(Operation &op, OpOperand &operand) {
  auto [place, isNew] = numbering.try_emplace(operand.get(), numbering.size());
  number(place->second);
  if (!isNew)
    return success();
  text("constant");
  return attribute(&op, operand.get().getDefiningOp<ConstantOp>().getValue());
}

LogicalResult DigestEncoder::encode(func::FuncOp function) {
  numbering.clear();
  text(function.getName());
  number(function.getNumArguments());
  for (BlockArgument argument : function.getArguments()) {
    define(argument);
    if (failed(this->argument(function, argument.getArgNumber())))
      return failure();
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    result(function, i);
  for (Operation &op : function.getBody().front())
    if (failed(operation(op)))
      return failure();
  return success();
}

FailureOr<std::string> repro::computeDigest(ModuleOp module) {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  llvm::sort(functions, [](func::FuncOp a, func::FuncOp b) {
    return a.getName() < b.getName();
  });
  DigestEncoder encoder;
  encoder.text("gensyn program");
  encoder.number(kNumericsVersion);
  encoder.number(functions.size());
  for (func::FuncOp function : functions) {
    if (!function.getBody().hasOneBlock())
      return function.emitError("a frozen function has one block"), failure();
    if (failed(encoder.encode(function)))
      return failure();
  }
  return encoder.finish();
}
