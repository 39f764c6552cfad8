// See TransposeReads.h.

#include "TransposeReads.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace gensyn::gpu {

std::optional<TransposeRead>
readAt(Value tensor, const PointwiseEmitter::Form &form, int64_t elements) {
  TransposeRead read{tensor, form.constant, {}};
  for (const PointwiseEmitter::Term &term : form.terms) {
    if (term.other || elements % term.divisor != 0)
      return std::nullopt;
    const int64_t extent =
        term.modulus == 0 ? elements / term.divisor : term.modulus;
    read.digits.push_back({term.coefficient, term.divisor, extent});
  }
  llvm::sort(read.digits, [](const TransposeDigit &a, const TransposeDigit &b) {
    return a.divisor < b.divisor;
  });
  int64_t end = 1;
  for (const TransposeDigit &digit : read.digits) {
    if (digit.divisor % end != 0)
      return std::nullopt;
    end = digit.divisor * digit.extent;
  }
  if (elements % end != 0)
    return std::nullopt;
  return read;
}

namespace {
/// Records the reads of the elements that it emits.
class ReadFinder final : public PointwiseEmitter {
public:
  using PointwiseEmitter::PointwiseEmitter;
  SmallVector<std::pair<Value, Form>> found;

protected:
  Value load(Value tensor, Value buffer, ArrayRef<Value> indices) override {
    if (!isNested())
      found.emplace_back(
          tensor,
          linearForm(cast<RankedTensorType>(tensor.getType()), indices));
    return PointwiseEmitter::load(tensor, buffer, indices);
  }
};

/// Finds the reads of each result of a kernel by emitting an element of it into
/// a temporary function.
class KernelReads {
public:
  KernelReads(repro::KernelOp kernel, const Target &target)
      : kernel(kernel), target(target) {}

  SmallVector<TransposeRead> of(unsigned result) {
    Value value = kernel.getYielded()[result];
    const int64_t elements = cast<ShapedType>(value.getType()).getNumElements();
    OpBuilder builder(kernel.getContext());
    auto scratch = makeFunction(builder);
    ReadFinder finder(builder, kernel, function, target, first, elements, 1);
    finder.setLane(0, 0);
    SmallVector<TransposeRead> reads;
    if (!finder.result(value))
      return reads;
    for (auto &[tensor, form] : finder.found)
      if (auto read = readAt(tensor, form, elements);
          read && !llvm::is_contained(reads, *read))
        reads.push_back(*read);
    return reads;
  }

private:
  OwningOpRef<LLVM::LLVMFuncOp> makeFunction(OpBuilder &builder) {
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(builder.getContext()), {});
    OwningOpRef<LLVM::LLVMFuncOp> made =
        LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), "reads", type);
    Block *entry = made->addEntryBlock(builder);
    auto take = [&](Type what) {
      return entry->addArgument(what, kernel.getLoc());
    };
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), 1);
    function = {};
    function.function = *made;
    for (size_t i = 0; i < kernel.getInputs().size(); ++i)
      function.inputs.push_back(take(pointer));
    for (size_t i = 0; i < kernel.getNumResults(); ++i)
      function.outputs.push_back(take(pointer));
    for (size_t i = 0; i < kernel.getFaultingOps().size(); ++i)
      function.faults.push_back(take(pointer));
    first = take(builder.getIndexType());
    builder.setInsertionPointToEnd(entry);
    return made;
  }

  repro::KernelOp kernel;
  const Target &target;
  KernelFunction function;
  Value first;
};
} // namespace

SmallVector<SmallVector<TransposeRead>> findReads(repro::KernelOp kernel,
                                                  const Target &target) {
  KernelReads finder(kernel, target);
  SmallVector<SmallVector<TransposeRead>> reads;
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    reads.push_back(finder.of(i));
  return reads;
}

} // namespace gensyn::gpu
