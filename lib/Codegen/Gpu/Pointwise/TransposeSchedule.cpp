// Transposes with adjacent elementwise ops, by tiles in shared memory.
//
// The linear index of a result's element is (rest * extentY + y) * spanX + x,
// where an operand is contiguous along y. A block computes a tile of 128 or 256
// bytes along x and y. It reads the tile of each such operand along y, in
// accesses of 16 bytes if the alignment allows, into shared memory. After one
// barrier its threads compute the results along x like threads of a pointwise
// kernel: staged operands are read from the tile, others from global memory,
// and results are stored as vectors. So operands are read and results written
// in whole sectors, whatever the permutation.
//
// In shared memory the rows of the tile extend along y, with one word of
// padding, which avoids bank conflicts (TransposeLayout.cpp). If elements have
// 1 or 2 bytes, a word holds those of 4 or 2 adjacent x; the thread that reads
// them packs them. So results are read in whole words as well.
//
// Independent results are parts of the grid, each with its own tiles. Parts
// without staged operands are pointwise code.
//
// An operand that a result may overwrite is read at the element that is
// written, by the same thread, before it writes anything. A staged operand is
// never overwritten, since it is read through a transpose, and results that may
// overwrite the same operand are in one part.

#include "TransposeEmitter.h"
#include "gensyn/Codegen/Gpu/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

class Transpose final : public Schedule {
public:
  StringRef getName() const override { return "transpose"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<TransposeLayout> layout = layOutTranspose(kernel, target);
    if (!layout)
      return std::nullopt;
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.grid[0] = layout->blocks();
    launch.block[0] = layout->threads;
    launch.sharedBytes = layout->sharedBytes();
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    const TransposeLayout layout = *layOutTranspose(kernel, target);
    const Location location = kernel.getLoc();
    Value block = mlir::gpu::BlockIdOp::create(builder, location,
                                               mlir::gpu::Dimension::x);
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(builder, location, value);
    };
    OpBuilder::InsertionGuard guard(builder);
    for (const TransposePart &part : layout.parts) {
      Block *next = nullptr;
      if (&part != &layout.parts.back()) {
        Value isOwn =
            arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ult,
                                  block, index(part.blocks()));
        auto branch = scf::IfOp::create(builder, location, TypeRange(), isOwn,
                                        /*withElseRegion=*/true);
        builder.setInsertionPointToStart(branch.thenBlock());
        next = branch.elseBlock();
      }
      if (failed(emitPart(kernel, part, layout.threads, block, target, function,
                          builder)))
        return failure();
      if (!next)
        break;
      builder.setInsertionPointToStart(next);
      block =
          arith::SubIOp::create(builder, location, block, index(part.blocks()));
    }
    return success();
  }

private:
  static LogicalResult emitPart(repro::KernelOp kernel,
                                const TransposePart &part, int64_t threads,
                                Value block, const Target &target,
                                const KernelFunction &function,
                                OpBuilder &builder) {
    if (part.isTiled())
      return emitTransposePart(kernel, part, threads, block, target, function,
                               builder);
    PointwiseWork work;
    for (unsigned result : part.results) {
      work.values.push_back(kernel.getYielded()[result]);
      work.outputs.push_back(function.outputs[result]);
    }
    work.block = block;
    return emitPointwise(kernel, part.shape, work, target, function, builder);
  }
};

} // namespace

/// Accepts pointwise and horizontal kernels with operands that are contiguous
/// along another dimension than the results.
std::unique_ptr<Schedule> createTransposeSchedule() {
  return std::make_unique<Transpose>();
}

} // namespace gensyn::gpu
