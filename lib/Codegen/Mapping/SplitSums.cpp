// Cuts sums of kernels into partial sums where their order allows it.

#include "Cost.h"
#include "KeptWeights.h"
#include "Search/KindSearch.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Codegen/Mapping/Passes.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {
#define GEN_PASS_DEF_TASKSPLITSUMSPASS
#include "gensyn/Codegen/Mapping/Passes.h.inc"

namespace {

/// Kernels that compute partial results, and the one that joins them.
struct Partials {
  SmallVector<KernelOp> parts;
  KernelOp join;

  void erase() {
    join.erase();
    for (KernelOp part : parts)
      part.erase();
  }
};

/// A cut of an op of a kernel.
struct Cut {
  Operation *op;
  unsigned dimension;
  SmallVector<Tile> pieces;
};

/// Builds a kernel op by op from values of another one.
class KernelBuilder {
public:
  KernelBuilder(KernelOp source, OpBuilder &builder)
      : source(source), inside(source.getContext()), outside(builder) {
    inside.setInsertionPointToEnd(&block);
  }

  /// The value in the new kernel: an argument, or the clone of an op.
  Value get(Value value) {
    if (Value known = values.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (!op) {
      const unsigned number = cast<BlockArgument>(value).getArgNumber();
      values.map(value, addInput(source.getInputs()[number]));
    } else {
      for (Value operand : op->getOperands())
        get(operand);
      inside.clone(*op, values);
    }
    return values.lookup(value);
  }

  Value addInput(Value input) {
    inputs.push_back(input);
    return block.addArgument(input.getType(), source.getLoc());
  }
  void set(Value value, Value made) { values.map(value, made); }
  OpBuilder &body() { return inside; }

  KernelOp finish(const std::string &name, ValueRange yielded) {
    YieldOp::create(inside, source.getLoc(), yielded);
    auto kernel = KernelOp::create(outside, source.getLoc(), yielded.getTypes(),
                                   name, inputs, Attribute());
    Block &entry = kernel.getBody().emplaceBlock();
    for (BlockArgument argument : block.getArguments())
      argument.replaceAllUsesWith(
          entry.addArgument(argument.getType(), argument.getLoc()));
    entry.getOperations().splice(entry.end(), block.getOperations());
    return kernel;
  }

private:
  KernelOp source;
  Block block;
  OpBuilder inside;
  OpBuilder &outside;
  IRMapping values;
  SmallVector<Value> inputs;
};

/// Builds the kernels of a cut in front of the kernel. Nothing if no op
/// computes a piece.
std::optional<Partials> build(KernelOp kernel, const Cut &cut) {
  OpBuilder builder(kernel);
  Partials partials;
  KernelBuilder join(kernel, builder);
  SmallVector<Value> joined;
  const std::string name = kernel.getSym().str();
  for (const Tile &piece : cut.pieces) {
    KernelBuilder part(kernel, builder);
    SmallVector<Value> tiles;
    for (auto [operand, tile] :
         llvm::zip_equal(cut.op->getOperands(), getOperandTiles(cut.op, piece)))
      tiles.push_back(
          buildTile(part.body(), cut.op->getLoc(), part.get(operand), tile));
    SmallVector<Value> results = buildPiece(part.body(), cut.op, tiles, piece);
    if (results.size() != 1) {
      for (KernelOp made : partials.parts)
        made.erase();
      return std::nullopt;
    }
    partials.parts.push_back(part.finish(
        name + "_part" + std::to_string(partials.parts.size()), results));
    joined.push_back(join.addInput(partials.parts.back().getResult(0)));
  }
  join.set(cut.op->getResult(0), cast<SplitOpInterface>(cut.op).buildJoin(
                                     join.body(), cut.dimension, joined));
  SmallVector<Value> yielded;
  for (Value value : kernel.getYielded())
    yielded.push_back(join.get(value));
  partials.join = join.finish(name + "_join", yielded);
  return partials;
}

/// Parts of a sum: each is a kernel, whose tiles are sought, and an operand of
/// the one that joins them. More blocks than these would take longer to start
/// than a core takes for all.
constexpr int64_t kMostParts = 256;

/// The cuts of the ops of a kernel along dimensions that they reduce: all
/// blocks of an order, if they are not too many; halves of its lanes and so on;
/// a few parts where any cut does.
SmallVector<Cut> findCuts(KernelOp kernel) {
  SmallVector<Cut> cuts;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (!isa<SplitOpInterface>(op) || op.getNumResults() != 1)
      continue;
    const SmallVector<int64_t> extents = getSplitExtents(&op);
    for (auto [dimension, split] : llvm::enumerate(repro::getSplits(&op))) {
      const int64_t extent = extents[dimension];
      auto add = [&](ArrayRef<int64_t> at, int64_t parts) {
        cuts.push_back({&op, unsigned(dimension),
                        getPieces(&op, unsigned(dimension), at, parts)});
      };
      if (split.kind == Split::Kind::Blocks && extent > split.size &&
          llvm::divideCeilSigned(extent, split.size) <= kMostParts)
        add({}, 1);
      for (int64_t parts : {2, 4, 8, 16, 32}) {
        if (split.kind == Split::Kind::Lanes && parts <= split.size &&
            parts < extent)
          add({}, parts);
        if (split.kind == Split::Kind::Any && parts < extent) {
          SmallVector<int64_t> at;
          for (int64_t part = 1; part < parts; ++part)
            at.push_back(extent * part / parts);
          add(at, parts);
        }
      }
    }
  }
  return cuts;
}

class TaskSplitSums final : public impl::TaskSplitSumsPassBase<TaskSplitSums> {
public:
  using TaskSplitSumsPassBase::TaskSplitSumsPassBase;

  void runOnOperation() override {
    FailureOr<machine::Description> described =
        loadMachine(machine, getOperation().getLoc());
    if (failed(described))
      return signalPassFailure();
    limitCoreMemories(*described, tileMemory);
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      visit(kernel, *described);
  }

private:
  void visit(KernelOp kernel, const machine::Description &described) {
    const SmallVector<Cut> cuts = findCuts(kernel);
    if (cuts.empty())
      return;
    // Repeated layers have equal kernels.
    auto [found, isNew] = known.try_emplace(codegen::printKernel(kernel));
    if (isNew)
      found->second = choose(kernel, cuts, described);
    if (!found->second)
      return;
    std::optional<Partials> made = build(kernel, cuts[*found->second]);
    Builder builder(kernel.getContext());
    for (KernelOp part : made->parts)
      part->setAttr(task::kShareAttr,
                    builder.getI64IntegerAttr(int64_t(made->parts.size())));
    kernel.replaceAllUsesWith(made->join.getResults());
    kernel.erase();
  }

  /// Of kernels that are computed at the same time, or one after another.
  struct Measure {
    int64_t time = 0, tiles = 0;
  };

  /// The number of the cut whose kernels take the least time; none if the whole
  /// kernel does. One that takes about as long and has a third of the tiles
  /// is taken too: a core computes a sum at once, so long ones make tiles that
  /// read much for few results.
  std::optional<size_t> choose(KernelOp kernel, ArrayRef<Cut> cuts,
                               const machine::Description &described) const {
    if (always)
      return chooseAny(kernel, cuts, described);
    const std::optional<Measure> whole = measure(kernel, described, 1);
    std::optional<Measure> least;
    std::optional<size_t> best;
    for (auto [number, cut] : llvm::enumerate(cuts)) {
      std::optional<Partials> made = build(kernel, cut);
      if (!made)
        continue;
      const std::optional<Measure> found = measure(*made, described);
      made->erase();
      if (!found || (least && found->time >= least->time))
        continue;
      // Signals, joins and launches cost what the estimate does not see.
      if (whole && found->time >= whole->time / 10 * 9 &&
          (found->time > aboutTheSame(whole->time) ||
           found->tiles > whole->tiles / 3))
        continue;
      best = number;
      least = found;
    }
    return best;
  }

  /// Cuts in turn, of those whose first part, which is the largest, and join
  /// have tiles that fit: to measure all takes longer than a test of bits.
  std::optional<size_t> chooseAny(KernelOp kernel, ArrayRef<Cut> cuts,
                                  const machine::Description &described) const {
    for (size_t i = 0; i < cuts.size(); ++i) {
      const size_t number = (known.size() + i) % cuts.size();
      std::optional<Partials> made = build(kernel, cuts[number]);
      if (!made)
        continue;
      const bool fits = measure(made->parts.front(), described, 1) &&
                        measure(made->join, described, 1);
      made->erase();
      if (fits)
        return number;
    }
    return std::nullopt;
  }

  /// The time of the largest part of a kernel that shares the machine, with
  /// those that run before it where there are more kernels than cores. Nothing
  /// if no tile of it fits.
  static std::optional<Measure> measure(KernelOp kernel,
                                        const machine::Description &described,
                                        int64_t share) {
    PieceCosts costs(kernel, described);
    if (costs.getCores().empty())
      return std::nullopt;
    const PartChoice choice = chooseParts(kernel, described, costs, share);
    if (choice.tiles == 0)
      return std::nullopt;
    const int64_t rounds =
        llvm::divideCeilSigned(share, int64_t(costs.getCores().size()));
    return Measure{choice.time * rounds, choice.tiles};
  }

  static std::optional<Measure> measure(const Partials &partials,
                                        const machine::Description &described) {
    Measure all;
    for (KernelOp part : partials.parts) {
      const std::optional<Measure> own =
          measure(part, described, int64_t(partials.parts.size()));
      if (!own)
        return std::nullopt;
      all.time = std::max(all.time, own->time);
      all.tiles += own->tiles;
    }
    const std::optional<Measure> join = measure(partials.join, described, 1);
    if (!join)
      return std::nullopt;
    all.time += join->time + described.network.signal.value;
    all.tiles += join->tiles;
    return all;
  }

  /// Choices by the text of the kernel.
  llvm::StringMap<std::optional<size_t>> known;
};

} // namespace
} // namespace gensyn::mapping
