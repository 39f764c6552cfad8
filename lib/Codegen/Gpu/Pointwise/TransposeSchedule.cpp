// Transposes, with the elementwise work around them: tiles through shared
// memory.
//
// Elements of the results are numbered (rest * extentY + y) * spanX + x, where
// an operand is contiguous along y. A block has a tile of x and y: 128 bytes,
// or 256, along each. It reads the tile of each such operand along y, in
// accesses of 16 bytes where places allow, and leaves it in shared memory;
// after one barrier its threads compute the results along x as threads of a
// pointwise kernel do: other operands are read where they lie, elements of the
// staged ones come from the tile, results are stored as vectors. So operands
// are read and results written in whole sectors, whatever the permutation.
//
// In shared memory rows of the tile lie along y and are one word longer than
// the tile (TransposeLayout.cpp says why no two threads of a warp then want the
// same bank). Of elements of 1 and 2 bytes a word has those of 4 or 2
// neighbouring x, which the thread that read them puts together: results then
// take whole words too.
//
// Results that have nothing to do with each other are parts of the grid, each
// with tiles of its own; parts without staged operands are pointwise code.
//
// Operands that results may overwrite are read at the element that is written,
// by the same thread, before it writes anything: a staged operand is never one
// of them, since it is read through a transpose, and results that reach one
// operand are in one part.

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

/// Takes pointwise and horizontal kernels with operands of which neighbours are
/// not neighbours in the results, but in another dimension of them.
std::unique_ptr<Schedule> createTransposeSchedule() {
  return std::make_unique<Transpose>();
}

} // namespace gensyn::gpu
