// Divides the update of a training step over ranks; see StepParts.h.

#include "PartBuilder.h"
#include "UpdateCuts.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINSHARDUPDATEPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

namespace {
/// Builds the stages of one rank.
class Sharder {
public:
  Sharder(func::FuncOp update, int64_t rank, int64_t ranks)
      : update(update), cuts(update, ranks), rank(rank), ranks(ranks) {}

  void run();

private:
  Block &block() { return update.getBody().front(); }
  StringRef nameOf(Value argument) {
    return update
        .getArgAttrOfType<StringAttr>(
            cast<BlockArgument>(argument).getArgNumber(), program::kNameAttr)
        .getValue();
  }
  bool isHere(Value value) const {
    const CutGroup *group = cuts.groupOf(value);
    return !group || group->isWith(rank);
  }
  /// The type of what this rank has of a value.
  RankedTensorType typeHere(Value value) const;
  void buildStage(int64_t stage);
  void addResults(PartBuilder &part);
  void addArguments(PartBuilder &part, int64_t stage);
  void clone(OpBuilder &builder, Operation &op, IRMapping &mapping);
  void describeCuts();

  func::FuncOp update;
  UpdateCuts cuts;
  int64_t rank, ranks;
};
} // namespace

RankedTensorType Sharder::typeHere(Value value) const {
  const CutGroup *group = cuts.groupOf(value);
  const RankedTensorType type = repro::typeOf(value);
  if (!group || group->kind != CutGroup::Kind::Cut)
    return type;
  return type.clone(ArrayRef(group->ranges[size_t(rank)].count));
}

/// All results of the update are those of the last stage, so that the other
/// ones read what no stage has replaced.
void Sharder::addResults(PartBuilder &part) {
  auto donated = update->getAttrOfType<DenseI64ArrayAttr>(kPartDonatedAttr);
  for (auto [i, value] :
       llvm::enumerate(block().getTerminator()->getOperands())) {
    if (!isHere(value))
      continue;
    auto text = [&](StringRef attribute) {
      return update.getResultAttrOfType<StringAttr>(i, attribute).getValue();
    };
    part.addResult(value, text(program::kNameAttr),
                   *roleFromName(text(program::kRoleAttr)),
                   donated[i] < 0 ? Value()
                                  : block().getArgument(unsigned(donated[i])));
  }
}

void Sharder::addArguments(PartBuilder &part, int64_t stage) {
  // The stage behind an exchange has all its values as arguments, which says
  // when they are exchanged. From the last on: what an exchanged value is
  // computed from is not needed.
  for (size_t i = cuts.exchanged().size(); i-- > 0;) {
    const ExchangedValue &exchange = cuts.exchanged()[i];
    const int64_t level = cuts.levelOf(exchange.value);
    if (level > stage ||
        (level < stage && !part.findSources().contains(exchange.value)))
      continue;
    part.addArgument(exchange.value, exchange.getType(),
                     (kPartialPrefix + Twine(i)).str(), Role::Input);
    if (exchange.blocks)
      part.derive(exchange.value, [&](OpBuilder &builder, Value blocks) {
        return repro::joinRowBlocks(builder, exchange.value.getDefiningOp(),
                                    blocks);
      });
  }
  llvm::DenseSet<Value> wanted;
  for (BlockArgument argument : part.findArguments(block()))
    wanted.insert(argument);
  if (stage == cuts.levelCount()) {
    auto donated = update->getAttrOfType<DenseI64ArrayAttr>(kPartDonatedAttr);
    for (int64_t argument : donated.asArrayRef())
      if (argument >= 0 && isHere(block().getArgument(unsigned(argument))))
        wanted.insert(block().getArgument(unsigned(argument)));
  }
  for (BlockArgument argument : block().getArguments())
    if (wanted.contains(argument))
      part.addArgument(argument, argument, typeHere(argument));
}

void Sharder::clone(OpBuilder &builder, Operation &op, IRMapping &mapping) {
  const Location location = op.getLoc();
  Value result = op.getResult(0);
  const ExchangedValue *exchange = cuts.exchangeOf(result);
  if (exchange && exchange->blocks) {
    mapping.map(result, repro::buildRowBlocks(
                            builder, &op, mapping.lookup(op.getOperand(0))));
    return;
  }
  const CutGroup *group = cuts.groupOf(result);
  if (!group || group->kind != CutGroup::Kind::Cut) {
    builder.clone(op, mapping);
    return;
  }
  const RankedTensorType type = typeHere(result);
  if (isa<repro::ReshapeOp>(op)) {
    mapping.map(result, mapping.lookup(op.getOperand(0)));
  } else if (isa<repro::BroadcastOp>(op)) {
    Value one = repro::createReshape(builder, location,
                                     mapping.lookup(op.getOperand(0)), {});
    mapping.map(result,
                repro::createBroadcast(builder, location, one, type, {}));
  } else if (auto constant = dyn_cast<repro::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    mapping.map(result, repro::ConstantOp::create(builder, location, type,
                                                  splat.resizeSplat(type)));
  } else {
    Operation *part = builder.clone(op, mapping);
    for (auto [own, whole] :
         llvm::zip_equal(part->getResults(), op.getResults()))
      own.setType(typeHere(whole));
  }
}

void Sharder::buildStage(int64_t stage) {
  PartBuilder part(update, (kUpdatePart + "_" + Twine(stage)).str());
  if (stage == cuts.levelCount())
    addResults(part);
  for (auto [i, exchange] : llvm::enumerate(cuts.exchanged()))
    if (cuts.levelOf(exchange.value) == stage + 1 &&
        exchange.getRange(rank).count)
      part.addResult(exchange.value, (kPartialPrefix + Twine(i)).str(),
                     Role::Output, nullptr);
  addArguments(part, stage);
  part.finish(block(),
              [&](OpBuilder &builder, Operation &op, IRMapping &mapping) {
                clone(builder, op, mapping);
              });
}

/// Says in the module which elements each rank has of what is divided.
void Sharder::describeCuts() {
  OpBuilder builder(update);
  SmallVector<NamedAttribute> described;
  auto describe = [&](StringRef name, auto rangeOf) {
    SmallVector<int64_t> numbers;
    for (int64_t each = 0; each < ranks; ++each) {
      const ElementRange range = rangeOf(each);
      numbers.append({range.begin, range.count});
    }
    described.push_back(
        builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(numbers)));
  };
  for (BlockArgument argument : block().getArguments()) {
    const CutGroup *group = cuts.groupOf(argument);
    if (!group || group->kind == CutGroup::Kind::Everywhere)
      continue;
    const int64_t elements = repro::typeOf(argument).getNumElements();
    describe(nameOf(argument), [&](int64_t each) {
      return group->kind == CutGroup::Kind::Cut
                 ? group->ranges[size_t(each)]
                 : ElementRange{0, group->owner == each ? elements : 0};
    });
  }
  for (auto [i, exchange] : llvm::enumerate(cuts.exchanged()))
    describe((kPartialPrefix + Twine(i)).str(),
             [&](int64_t each) { return exchange.getRange(each); });
  update->getParentOfType<ModuleOp>()->setAttr(
      kCutsAttr, builder.getDictionaryAttr(described));
}

void Sharder::run() {
  describeCuts();
  for (int64_t stage = 0; stage <= cuts.levelCount(); ++stage)
    buildStage(stage);
  update.erase();
}

void train::shardUpdate(ModuleOp module, int64_t rank, int64_t ranks) {
  Sharder(module.lookupSymbol<func::FuncOp>(kUpdatePart), rank, ranks).run();
}

namespace {
struct ShardUpdate final : train::impl::TrainShardUpdatePassBase<ShardUpdate> {
  using TrainShardUpdatePassBase::TrainShardUpdatePassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      module.emitError("rank ")
          << int64_t(rank) << " is not one of " << int64_t(ranks);
      return signalPassFailure();
    }
    if (!module.lookupSymbol<func::FuncOp>(kUpdatePart)) {
      module.emitError("no function '@update'; train-split-step makes it");
      return signalPassFailure();
    }
    shardUpdate(module, rank, ranks);
  }
};
} // namespace
