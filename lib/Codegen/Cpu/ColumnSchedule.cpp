// Columns one after another; see ColumnSchedule.h.

#include "ColumnSchedule.h"
#include "Common/Rounding.h"
#include "WidenLoop.h"

#include "gensyn/Codegen/Emit/ScatterRows.h"
#include "gensyn/Codegen/Kernel/EmitLoops.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Columns of a tile that are processed together: four cache lines of f32.
constexpr int64_t kRow = 64;
/// Tiles that are enough for all threads.
constexpr int64_t kEnoughTiles = 16;
/// Fewer lanes are not worth a vector.
constexpr int64_t kLeastLanes = 4;

/// Returns the scatter of a kernel if its columns can be processed in rows.
repro::ScatterOp rowsOf(repro::KernelOp kernel) {
  auto scatter = dyn_cast_or_null<repro::ScatterOp>(
      codegen::getColumnOp(kernel).getOperation());
  return scatter && emit::hasScatterRows(scatter) ? scatter
                                                  : repro::ScatterOp();
}

/// Adjacent columns that are computed by vectors, one step after another.
struct ColumnRow {
  int64_t lanes = 1;  ///< of a vector; 1: columns are computed one by one
  int64_t length = 1; ///< columns of a tile; the last one has the rest, too

  ColumnRow(repro::KernelOp kernel, const Target &target) {
    auto model = dyn_cast<repro::ColumnModelInterface>(
        codegen::getColumnOp(kernel).getOperation());
    SmallVector<int64_t> extents = codegen::getParallelExtents(kernel);
    if (!model || !model.hasAdjacentColumns() || extents.empty() ||
        extents.back() < kLeastLanes)
      return;
    for (lanes = target.lanes(4); lanes > extents.back();)
      lanes /= 2;
    const bool isEnough =
        llvm::product_of(extents) >= kEnoughTiles * kRow && lanes <= kRow;
    length = isEnough ? std::min(kRow, extents.back()) : lanes;
  }
};

/// Returns the extents of a tile's index.
SmallVector<int64_t> tileExtents(repro::KernelOp kernel, const Target &target) {
  SmallVector<int64_t> extents = codegen::getParallelExtents(kernel);
  if (rowsOf(kernel))
    extents.back() = ceilDiv(extents.back(), kRow);
  else if (const ColumnRow row(kernel, target); row.lanes > 1)
    extents.back() /= row.length;
  return extents;
}

class ColumnSchedule final : public Schedule {
public:
  StringRef getName() const override { return "column"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (!codegen::getColumnOp(kernel))
      return std::nullopt;
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    for (int64_t extent : tileExtents(kernel, target))
      launch.tiles *= extent;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    Location location = kernel.getLoc();
    const codegen::IndexBuilder index(builder, location);
    auto tiles = scf::ForOp::create(builder, location, function.begin,
                                    function.end, index(1));
    builder.setInsertionPoint(tiles.getBody()->getTerminator());
    SmallVector<int64_t> extents = tileExtents(kernel, target);
    for (int64_t &extent : extents)
      extent = std::max<int64_t>(extent, 1);
    SmallVector<Value> tile =
        index.delinearize(tiles.getInductionVar(), extents);
    if (failed(emitTile(kernel, target, function, tile, builder)))
      return failure();
    builder.setInsertionPointAfter(tiles);
    return success();
  }

private:
  static LogicalResult emitTile(repro::KernelOp kernel, const Target &target,
                                const KernelFunction &function,
                                ArrayRef<Value> tile, OpBuilder &builder) {
    Location location = kernel.getLoc();
    const codegen::KernelBuffers buffers = {function.inputs, function.outputs,
                                            function.faults};
    repro::ScatterOp scatter = rowsOf(kernel);
    if (!scatter)
      return emitRow(kernel, target, buffers, tile, builder);
    const codegen::IndexBuilder index(builder, location);
    Value begin =
        arith::MulIOp::create(builder, location, tile.back(), index(kRow));
    Value end = arith::MinUIOp::create(
        builder, location,
        arith::AddIOp::create(builder, location, begin, index(kRow)),
        index(codegen::getParallelExtents(kernel).back()));
    Value copies = emitNeedsCopy(kernel, function, builder);
    if (failed(codegen::emitInKernel(
            kernel, buffers, builder, [&](repro::ElementEmitter &emitter) {
              return emit::emitScatterRows(scatter, emitter, tile.drop_back(),
                                           begin, end, buffers.outputs, copies);
            })))
      return failure();
    // The loops over the columns of the row. A column's updates may add to what
    // they read, so none runs twice.
    SmallVector<scf::ForOp> loops;
    for (Operation *user : begin.getUsers())
      if (auto loop = dyn_cast<scf::ForOp>(user))
        if (loop.getLowerBound() == begin && loop.getUpperBound() == end)
          loops.push_back(loop);
    const int64_t lanes = target.lanes(4);
    for (scf::ForOp loop : loops)
      (void)widenLoop(
          loop, {lanes, lanes, /*mayRepeat=*/false, target.hasMaskedAccess});
    return success();
  }

  /// Emits the adjacent columns of a tile, or its column.
  static LogicalResult emitRow(repro::KernelOp kernel, const Target &target,
                               const codegen::KernelBuffers &buffers,
                               ArrayRef<Value> tile, OpBuilder &builder) {
    const ColumnRow row(kernel, target);
    if (row.lanes == 1)
      return codegen::emitKernelColumn(kernel, buffers, tile, builder);
    const codegen::IndexBuilder index(builder, kernel.getLoc());
    const int64_t columns = codegen::getParallelExtents(kernel).back(),
                  rows = columns / row.length;
    Value begin = index.mul(tile.back(), row.length);
    Value isLast =
        index.compare(arith::CmpIPredicate::eq, tile.back(), rows - 1);
    Value end =
        index.select(isLast, index(columns), index.add(begin, row.length));
    auto loop =
        scf::ForOp::create(builder, kernel.getLoc(), begin, end, index(1));
    SmallVector<Value> column(tile);
    column.back() = loop.getInductionVar();
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(loop.getBody()->getTerminator());
      if (failed(codegen::emitKernelColumn(kernel, buffers, column, builder)))
        return failure();
    }
    // Updates in place may add to what they read.
    (void)widenLoop(loop, {row.lanes, row.lanes,
                           codegen::findInPlacePairs(kernel).empty(),
                           target.hasMaskedAccess});
    return success();
  }

  /// Returns true where the base is not the memory of the result. The plan
  /// decides that (findInPlacePairs); equal kernels have one code.
  static Value emitNeedsCopy(repro::KernelOp kernel,
                             const KernelFunction &function,
                             OpBuilder &builder) {
    SmallVector<codegen::InPlacePair> pairs = codegen::findInPlacePairs(kernel);
    if (pairs.empty())
      return {};
    auto address = [&](Value buffer) -> Value {
      return memref::ExtractAlignedPointerAsIndexOp::create(
          builder, kernel.getLoc(), buffer);
    };
    return arith::CmpIOp::create(builder, kernel.getLoc(),
                                 arith::CmpIPredicate::ne,
                                 address(function.inputs[pairs[0].operand]),
                                 address(function.outputs[pairs[0].result]));
  }
};

} // namespace

std::unique_ptr<Schedule> createColumnSchedule() {
  return std::make_unique<ColumnSchedule>();
}

} // namespace gensyn::cpu
