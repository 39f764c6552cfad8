// The schedule of contracted rows: attention without a matrix of scores.
//
// A tile of the launch is a block of rows of one group, or all of them if a
// contraction adds rows: its chains continue from row to row. It copies the
// operands that all its rows share into panels, then walks over a few rows at a
// time: contractions fill slots of scratch, loops over each row compute the
// other slots, and contractions of these end in results.

#include "RowEmitter.h"
#include "TileProduct.h"

#include "../Common/Rounding.h"
#include "../RowReduceOrder.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using Role = RowContraction::Role;

int64_t roundUp(int64_t x, int64_t y) { return ceilDiv(x, y) * y; }

/// Bytes of slots that stay in the second-level cache.
constexpr int64_t kSlotBytes = 768 << 10;
/// Rows of a launch's tile, for which operands are copied once.
constexpr int64_t kBlockRows = 192;

/// A kernel with its sizes, and the layout of a thread's scratch in f32.
struct Layout {
  Layout(repro::KernelOp kernel, const Target &target)
      : form(repro::getKernelForm(kernel)), steps(form) {
    const bool addsRows = llvm::any_of(form.rowContractions, [](auto &c) {
      return c.role == Role::AcrossRows;
    });
    GemmMachine machine;
    machine.lanes = target.lanes(4);
    machine.registers = target.vectorRegisters;
    slotStride = roundUp(form.columns, 64) + 16;
    chooseRows(addsRows);
    for (const RowContraction &contraction : form.rowContractions) {
      products.push_back(
          viewInTile(contraction, tileRows, slotStride, machine));
      const int64_t rest = form.groupRows % tileRows;
      lastProducts.push_back(viewInTile(contraction, rest ? rest : tileRows,
                                        slotStride, machine,
                                        &products.back().sizes));
    }
    slotSize = roundUp(tileRows * slotStride, 16);
    slots = take(slotSize * steps.getNumSlots());
    int64_t most = 0;
    for (repro::ReduceOp reduce : form.reductions)
      if (reduce.getOrder())
        most = std::max(
            most, rowScratch(reduce.getOrder()->getOrder(), form.columns));
    numBlocks = most;
    // A vector may read beyond the last result of a block.
    blocks = take(most + machine.lanes);
    for (const TileProduct &product : products) {
      const GemmLayout layout(product.view, product.sizes);
      panels.push_back(take(layout.columnPanels * layout.panelStride));
      partials.push_back(take(product.role() == Role::AcrossRows
                                  ? layout.columnPanels * layout.partialStride
                                  : 0));
      scratch.push_back(take(layout.scratchBytes / 4));
    }
  }

  int64_t blocksOfGroup() const { return ceilDiv(form.groupRows, blockRows); }
  int64_t tiles() const { return form.rows / form.groupRows * blocksOfGroup(); }

  repro::KernelForm form;
  RowSteps steps;
  int64_t tileRows = 0, blockRows = 0, slotStride = 0, slotSize = 0;
  int64_t numBlocks = 0;
  std::vector<TileProduct> products, lastProducts;
  /// Offsets in scratch; the others for each product.
  int64_t slots = 0, blocks = 0, size = 0;
  SmallVector<int64_t> panels, partials, scratch;

private:
  int64_t take(int64_t elements) {
    const int64_t offset = size;
    size += roundUp(elements, 16);
    return offset;
  }

  void chooseRows(bool addsRows) {
    const int64_t most = kSlotBytes / (4 * slotStride * steps.getNumSlots());
    if (!addsRows) {
      tileRows = std::min<int64_t>(form.groupRows,
                                   std::clamp<int64_t>(most / 6 * 6, 6, 48));
      blockRows = std::min(form.groupRows, roundUp(kBlockRows, tileRows));
      return;
    }
    // A tile ends where a block of an order does.
    int64_t blockSize = 0;
    for (const RowContraction &contraction : form.rowContractions) {
      const Order order =
          repro::ContractOp(contraction.op).getOrder()->getOrder();
      if (contraction.role == Role::AcrossRows && !order.isSequential() &&
          order.blockSize() < form.groupRows)
        blockSize = std::gcd(blockSize, order.blockSize());
    }
    tileRows = std::min<int64_t>(form.groupRows,
                                 std::clamp<int64_t>(most / 8 * 8, 8, 32));
    while (blockSize % tileRows != 0)
      --tileRows;
    blockRows = form.groupRows;
  }
};

class TileEmitter {
public:
  TileEmitter(repro::KernelOp kernel, const Layout &layout, int64_t lanes,
              const KernelFunction &function, OpBuilder &builder)
      : kernel(kernel), layout(layout), function(function), b(builder),
        code(builder, kernel.getLoc(), lanes, builder.getF32Type()),
        tensors{StoredTensor(code), StoredTensor(code), StoredTensor(code)},
        index(builder, kernel.getLoc()), lanes(lanes) {}

  LogicalResult emit() {
    scratch = code.pointer(function.scratch);
    memory.slots = viewOf(layout.slots, layout.size - layout.slots);
    memory.slotSize = layout.slotSize;
    memory.slotStride = layout.slotStride;
    if (layout.numBlocks > 0)
      memory.blocks = viewOf(layout.blocks, layout.numBlocks);
    LogicalResult result = success();
    code.loop(code.toI64(function.begin), code.toI64(function.end), 1,
              [&](Value tile) { result = emitBlock(tile); });
    return result;
  }

private:
  Value viewOf(int64_t offset, int64_t elements) {
    return memref::ViewOp::create(
        b, kernel.getLoc(), MemRefType::get({elements}, b.getF32Type()),
        function.scratch, index(4 * offset), ValueRange());
  }

  LogicalResult emitBlock(Value tile) {
    const int64_t groupRows = layout.form.groupRows;
    group = code.div(tile, layout.blocksOfGroup());
    Value first =
        code.mul(code.rem(tile, layout.blocksOfGroup()), layout.blockRows);
    Value last = code.minSigned(code.add(first, layout.blockRows),
                                code.constant(groupRows));
    pointers.clear();
    for (size_t number = 0; number < layout.products.size(); ++number)
      preparePanels(number);
    LogicalResult result = success();
    code.loop(first, last, layout.tileRows, [&](Value row) {
      Value rows =
          code.minSigned(code.sub(last, row), code.constant(layout.tileRows));
      emitProducts(Role::Source, row, rows);
      result = emitRows(row, rows);
      emitProducts(Role::AlongRows, row, rows);
      emitSums(row, rows);
    });
    return result;
  }

  /// Finds the group's tensors, and copies B.
  void preparePanels(size_t number) {
    const TileProduct &product = layout.products[number];
    repro::ContractOp op = product.contraction.op;
    Value offsets[] = {code.constant(0), code.constant(0), code.constant(0)};
    Value rest = group;
    for (size_t dim = product.groupExtents.size(); dim-- > 0;) {
      Value at = dim == 0 ? rest : code.rem(rest, product.groupExtents[dim]);
      rest = code.div(rest, product.groupExtents[dim]);
      for (unsigned tensor : {0, 1, 2})
        offsets[tensor] = code.add(
            offsets[tensor], code.mul(at, product.groupStrides[dim][tensor]));
    }
    auto tensor = [&](Value value, unsigned which) {
      Value memory;
      if (std::optional<unsigned> slot = layout.steps.getSlot(value))
        return code.at(scratch, layout.slots + *slot * layout.slotSize);
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        memory = function.inputs[argument.getArgNumber()];
      } else {
        auto yielded = kernel.getYielded();
        memory =
            function
                .outputs[size_t(llvm::find(yielded, value) - yielded.begin())];
      }
      return code.at(code.pointer(memory), offsets[which]);
    };
    GemmPointers own;
    own.a = tensor(op->getOperand(product.a), 0);
    own.b = tensor(op->getOperand(product.b), 1);
    own.c = tensor(op.getResult(), 2);
    own.scratch = code.at(scratch, layout.scratch[number]);
    own.columnPanels = code.at(scratch, layout.panels[number]);
    emitter(product, number).emitPackColumns(own);
    pointers.push_back(own);
  }

  GemmEmitter emitter(const TileProduct &product, size_t number) {
    return GemmEmitter(code, tensors, product.view, product.sizes,
                       function.function, unsigned(number));
  }

  void emitProducts(Role role, Value row, Value rows) {
    auto emitAll = [&](const std::vector<TileProduct> &products) {
      for (auto [number, product] : llvm::enumerate(products)) {
        if (product.role() != role)
          continue;
        GemmPointers moved = pointers[number];
        Value &moving = role == Role::Source ? moved.a : moved.c;
        moving = code.at(moving, code.mul(row, product.rowStride));
        const GemmLayout tiles(product.view, product.sizes);
        emitter(product, number)
            .emitProduct(code.constant(0), code.constant(tiles.tiles), moved);
      }
    };
    if (layout.form.groupRows % layout.tileRows == 0)
      return emitAll(layout.products);
    code.when(
        code.compare(arith::CmpIPredicate::eq, rows,
                     code.constant(layout.tileRows)),
        [&] { emitAll(layout.products); },
        [&] { emitAll(layout.lastProducts); });
  }

  LogicalResult emitRows(Value row, Value rows) {
    Value first =
        index.add(index.mul(code.toIndex(group), layout.form.groupRows),
                  code.toIndex(row));
    auto loop = scf::ForOp::create(b, kernel.getLoc(), index(0),
                                   code.toIndex(rows), index(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop.getBody()->getTerminator());
    Value inTile = loop.getInductionVar();
    return RowEmitter(kernel, layout.form, layout.steps, function, memory,
                      lanes, b)
        .emit(index.add(first, inTile), inTile);
  }

  /// Continues the chains that go from row to row.
  void emitSums(Value row, Value rows) {
    using Predicate = arith::CmpIPredicate;
    const int64_t groupRows = layout.form.groupRows;
    Value end = code.add(row, rows);
    for (auto [number, product] : llvm::enumerate(layout.products)) {
      if (product.role() != Role::AcrossRows)
        continue;
      const int64_t blockSize = product.view.blockSize;
      auto flag = [&](Value condition, int64_t bit) {
        return code.select(condition, code.constant(bit), code.constant(0));
      };
      Value isLast = code.compare(Predicate::eq, end, code.constant(groupRows));
      auto isBlock = [&](Value at) {
        return code.compare(Predicate::eq, code.rem(at, blockSize),
                            code.constant(0));
      };
      Value ends = arith::OrIOp::create(b, code.loc, isLast, isBlock(end));
      Value flags = code.add(flag(isBlock(row), GemmFlags::kFromZero),
                             flag(ends, GemmFlags::kEndsBlock));
      flags = code.add(flags, flag(code.compare(Predicate::sge, row,
                                                code.constant(blockSize)),
                                   GemmFlags::kAddsToC));
      flags = code.add(flags, flag(isLast, GemmFlags::kFinal));
      GemmPointers moved = pointers[number];
      moved.columnPanels =
          code.at(moved.columnPanels, code.mul(row, product.sizes.columns()));
      moved.partials = code.at(scratch, layout.partials[number]);
      emitter(product, number).emitPoints(rows, flags, moved);
    }
  }

  repro::KernelOp kernel;
  const Layout &layout;
  const KernelFunction &function;
  OpBuilder &b;
  CpuBuilder code;
  GemmTensors tensors;
  codegen::IndexBuilder index;
  int64_t lanes;
  Value scratch, group;
  RowMemory memory;
  std::vector<GemmPointers> pointers;
};

class ContractedRowsSchedule final : public Schedule {
public:
  StringRef getName() const override { return "contracted-rows"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (kernel.getScheduleAttr() ||
        repro::getKernelForm(kernel).kind != repro::KernelKind::ContractedRows)
      return std::nullopt;
    const Layout layout(kernel, target);
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.tiles = layout.tiles();
    launch.scratchBytes = 4 * layout.size;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    const Layout layout(kernel, target);
    return TileEmitter(kernel, layout, target.lanes(4), function, builder)
        .emit();
  }
};

} // namespace

/// Accepts kernels of the form ContractedRows.
std::unique_ptr<Schedule> createContractedRowsSchedule() {
  return std::make_unique<ContractedRowsSchedule>();
}

} // namespace gensyn::cpu
