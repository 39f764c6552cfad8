// Builds the segments of a microbatch; see Segments.h.

#include "Segments.h"

#include "../PartBuilder.h"
#include "Gradients.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Numerics/Sizes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

bool train::isPart(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return false;
  auto isTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() &&
           repro::getElementType(tensor.getElementType());
  };
  Block &block = function.getBody().front();
  if (!llvm::all_of(block.getArgumentTypes(), isTensor) ||
      !llvm::all_of(block, [&](Operation &op) {
        return llvm::all_of(op.getResultTypes(), isTensor);
      }))
    return false;
  auto replaced = function->getAttrOfType<DenseI64ArrayAttr>(kPartDonatedAttr);
  return !replaced ||
         (replaced.size() == function.getNumResults() &&
          llvm::all_of(replaced.asArrayRef(), [&](int64_t argument) {
            return argument >= -1 && argument < function.getNumArguments();
          }));
}

namespace {
struct Segment {
  SmallVector<Operation *> ops;
  /// Values of earlier segments that it reads, and values that later ones read.
  llvm::DenseSet<Value> received, sent;
  /// Arguments of the microbatch that it reads.
  llvm::DenseSet<Value> arguments;
  /// The results of the microbatch that it computes, rising.
  SmallVector<unsigned> results;
};

class SegmentBuilder {
public:
  SegmentBuilder(func::FuncOp microbatch, const StepFold &fold,
                 ArrayRef<unsigned> cuts, PipelineStages pipeline)
      : microbatch(microbatch), fold(fold), cuts(cuts), pipeline(pipeline),
        builder(microbatch),
        segments(static_cast<size_t>(pipeline.segments())) {}

  std::vector<StageFacts> run();

private:
  Block &block() { return microbatch.getBody().front(); }
  size_t segmentOf(Operation *op) const;
  /// The segment whose result a result of the microbatch is.
  size_t segmentOfResult(Value value) const;
  void findOps();
  void findNeeds(size_t number);
  void numberCuts();
  void buildFunction(size_t number);
  /// The numbers of a stage's segments, rising.
  SmallVector<size_t> segmentsOf(int64_t stage) const;
  void describeStages();
  StageFacts measure(int64_t stage);

  func::FuncOp microbatch;
  const StepFold &fold;
  ArrayRef<unsigned> cuts;
  PipelineStages pipeline;
  OpBuilder builder;
  std::vector<Segment> segments;
  /// Values that cross segments, in the order of the program: their numbers.
  llvm::MapVector<Value, int64_t> crossing;
};
} // namespace

size_t SegmentBuilder::segmentOf(Operation *op) const {
  const auto chunk = static_cast<size_t>(
      llvm::upper_bound(cuts, fold.placeOf(op)) - cuts.begin());
  return fold.isForward(op) ? chunk : segments.size() - 1 - chunk;
}

size_t SegmentBuilder::segmentOfResult(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && !fold.isCopied(op) ? segmentOf(op) : 0;
}

void SegmentBuilder::findOps() {
  for (Operation &op : block().without_terminator())
    if (!fold.isCopied(&op))
      segments[segmentOf(&op)].ops.push_back(&op);
  for (auto [number, value] :
       llvm::enumerate(block().getTerminator()->getOperands()))
    segments[segmentOfResult(value)].results.push_back(
        static_cast<unsigned>(number));
}

/// Finds the copied ops, the arguments and the values of earlier segments that
/// a segment reads.
void SegmentBuilder::findNeeds(size_t number) {
  Segment &segment = segments[number];
  SmallVector<Value> pending;
  for (Operation *op : segment.ops)
    llvm::append_range(pending, op->getOperands());
  for (unsigned result : segment.results)
    pending.push_back(block().getTerminator()->getOperand(result));
  llvm::DenseSet<Operation *> copies;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op) {
      segment.arguments.insert(value);
    } else if (fold.isCopied(op)) {
      if (copies.insert(op).second) {
        segment.ops.push_back(op);
        llvm::append_range(pending, op->getOperands());
      }
    } else if (segmentOf(op) != number) {
      segment.received.insert(value);
      segments[segmentOf(op)].sent.insert(value);
    }
  }
}

void SegmentBuilder::numberCuts() {
  for (Operation &op : block().without_terminator())
    if (!fold.isCopied(&op))
      for (Value result : op.getResults())
        if (segments[segmentOf(&op)].sent.contains(result))
          crossing.try_emplace(result, crossing.size());
}

void SegmentBuilder::buildFunction(size_t number) {
  const Segment &segment = segments[number];
  const std::string name = (kSegmentPart + Twine(number)).str();
  auto cutName = [](int64_t cut) { return (kCutPrefix + Twine(cut)).str(); };
  PartBuilder part(microbatch, name);
  for (BlockArgument argument : microbatch.getArguments())
    if (segment.arguments.contains(argument))
      part.addArgument(argument, argument);
  for (auto [value, cut] : crossing)
    if (segment.received.contains(value))
      part.addArgument(value, value.getType(), cutName(cut), Role::Input);
  auto replaced =
      microbatch->getAttrOfType<DenseI64ArrayAttr>(kPartDonatedAttr);
  for (unsigned result : segment.results) {
    StringRef name = nameOfResult(microbatch, result);
    const int64_t argument = replaced ? replaced[result] : -1;
    part.addResult(
        block().getTerminator()->getOperand(result), name,
        name.starts_with(kSumPrefix) ? Role::State : Role::Output,
        argument < 0 ? Value()
                     : microbatch.getArgument(static_cast<unsigned>(argument)));
  }
  for (auto [value, cut] : crossing)
    if (segment.sent.contains(value))
      part.addResult(value, cutName(cut), Role::Output, nullptr);
  part.finish(block());
  auto module = microbatch->getParentOfType<ModuleOp>();
  module.lookupSymbol(name)->setAttr(
      kStageAttr, builder.getI64IntegerAttr(
                      pipeline.stageOfSegment(static_cast<int64_t>(number))));
}

/// The numbers behind a prefix in the names of a stage's results.
static SmallVector<int64_t> numbersBehind(StringRef prefix,
                                          ArrayRef<StringRef> names) {
  SmallVector<int64_t> numbers;
  for (StringRef name : names) {
    int64_t number = 0;
    if (name.consume_front(prefix) && !name.getAsInteger(10, number))
      numbers.push_back(number);
  }
  llvm::sort(numbers);
  return numbers;
}

SmallVector<size_t> SegmentBuilder::segmentsOf(int64_t stage) const {
  SmallVector<size_t> own;
  for (size_t number = 0; number < segments.size(); ++number)
    if (pipeline.stageOfSegment(static_cast<int64_t>(number)) == stage)
      own.push_back(number);
  return own;
}

void SegmentBuilder::describeStages() {
  SmallVector<Attribute> described;
  for (int64_t stage = 0; stage < pipeline.stages; ++stage) {
    const SmallVector<size_t> own = segmentsOf(stage);
    SmallVector<StringRef> parameters, results;
    for (BlockArgument argument : microbatch.getArguments())
      if (program::hasRole(microbatch, argument.getArgNumber(),
                           Role::Parameter) &&
          llvm::any_of(own, [&](size_t number) {
            return segments[number].arguments.contains(argument);
          }))
        parameters.push_back(
            nameOfArgument(microbatch, argument.getArgNumber()));
    for (size_t number : own)
      for (unsigned result : segments[number].results)
        results.push_back(nameOfResult(microbatch, result));
    described.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("parameters",
                              builder.getStrArrayAttr(parameters)),
         builder.getNamedAttr("sums", builder.getDenseI64ArrayAttr(
                                          numbersBehind(kSumPrefix, results))),
         builder.getNamedAttr("contributions",
                              builder.getDenseI64ArrayAttr(numbersBehind(
                                  kContributionPrefix, results)))}));
  }
  microbatch->getParentOfType<ModuleOp>()->setAttr(
      kStagesAttr, builder.getArrayAttr(described));
}

StageFacts SegmentBuilder::measure(int64_t stage) {
  StageFacts facts;
  llvm::DenseSet<Value> received, parameters;
  for (size_t number : segmentsOf(stage)) {
    const Segment &segment = segments[number];
    for (Operation *op : segment.ops) {
      ++facts.ops;
      if (auto cost = dyn_cast<repro::CostOpInterface>(op))
        facts.operations = saturatingAdd(facts.operations, cost.getFlops());
    }
    for (Value value : segment.received)
      if (received.insert(value).second) {
        const auto from =
            static_cast<int64_t>(segmentOf(value.getDefiningOp()));
        int64_t &bytes = pipeline.stageOfSegment(from) == stage
                             ? facts.keptBytes
                             : facts.receivedBytes;
        bytes = saturatingAdd(bytes, repro::bytesOf(value));
      }
    for (Value value : segment.arguments)
      if (program::hasRole(microbatch,
                           cast<BlockArgument>(value).getArgNumber(),
                           Role::Parameter) &&
          parameters.insert(value).second)
        facts.parameterBytes =
            saturatingAdd(facts.parameterBytes, repro::bytesOf(value));
  }
  return facts;
}

std::vector<StageFacts> SegmentBuilder::run() {
  findOps();
  for (size_t number = 0; number < segments.size(); ++number)
    findNeeds(number);
  numberCuts();
  for (size_t number = 0; number < segments.size(); ++number)
    buildFunction(number);
  describeStages();
  std::vector<StageFacts> facts;
  for (int64_t stage = 0; stage < pipeline.stages; ++stage)
    facts.push_back(measure(stage));
  return facts;
}

std::vector<StageFacts> train::buildSegments(func::FuncOp microbatch,
                                             const StepFold &fold,
                                             ArrayRef<unsigned> cuts,
                                             PipelineStages pipeline) {
  return SegmentBuilder(microbatch, fold, cuts, pipeline).run();
}
