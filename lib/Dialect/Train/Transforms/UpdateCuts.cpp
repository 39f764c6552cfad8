// See UpdateCuts.h.

#include "UpdateCuts.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

/// Ranges begin at multiples of this many elements, so that vectors of 64 bytes
/// are aligned in every type.
static constexpr int64_t kUnit = 64;

/// A tensor of fewer elements is not worth cutting.
static constexpr int64_t kSmallest = 1024;

/// Tensors are cut together until they have so many elements, and so many for
/// each rank: with fewer, ranks would send many short ranges; with more, all
/// would send to a few ranks at a time, which takes longer than sending to all.
static constexpr int64_t kBucket = int64_t(1) << 18;
static constexpr int64_t kBucketOfRank = int64_t(1) << 12;

/// A tensor is not cut into fewer ranges because of long blocks.
static constexpr int64_t kLongestUnit = int64_t(1) << 20;

static int64_t elementsOf(Value value) {
  return repro::typeOf(value).getNumElements();
}

static int64_t bytesOf(Value value) {
  return llvm::divideCeil(
      elementsOf(value) *
          repro::typeOf(value).getElementType().getIntOrFloatBitWidth(),
      8);
}

RankedTensorType ExchangedValue::getType() const {
  const RankedTensorType type = repro::typeOf(value);
  return blocks ? RankedTensorType::get({blocks}, type.getElementType()) : type;
}

ElementRange ExchangedValue::getRange(int64_t rank) const {
  if (!blocks)
    return {0, group->owner == rank};
  const ElementRange range = group->ranges[size_t(rank)];
  return {range.begin / block, int64_t(llvm::divideCeil(range.count, block))};
}

UpdateCuts::UpdateCuts(func::FuncOp update, int64_t ranks) {
  group(update);
  assign(ranks);
  findLevels(update);
}

const CutGroup *UpdateCuts::groupOf(Value value) const {
  auto found = numbers.find(value);
  return found == numbers.end() ? nullptr : &groups[found->second];
}

const ExchangedValue *UpdateCuts::exchangeOf(Value value) const {
  auto found = exchangeNumbers.find(value);
  return found == exchangeNumbers.end() ? nullptr : &exchanges[found->second];
}

/// True if an element of a result depends on the elements at its place alone.
static bool isPointwise(Operation &op) {
  return op.hasTrait<OpTrait::Elementwise>() &&
         llvm::all_of(op.getOperands(), [&](Value operand) {
           return repro::shapeOf(operand) == repro::shapeOf(op.getResult(0));
         });
}

/// True if all elements of the result are equal.
static bool isFilled(Operation &op) {
  return repro::isSplatConstant(&op) ||
         (isa<repro::BroadcastOp>(op) && elementsOf(op.getOperand(0)) == 1);
}

/// Joins values whose elements lie at the same places.
void UpdateCuts::group(func::FuncOp update) {
  Block &block = update.getBody().front();
  SmallVector<Value> values;
  auto add = [&](Value value) {
    if (elementsOf(value) == 1)
      return;
    numbers[value] = unsigned(values.size());
    values.push_back(value);
  };
  llvm::for_each(block.getArguments(), add);
  for (Operation &op : block.without_terminator())
    llvm::for_each(op.getResults(), add);

  llvm::IntEqClasses classes(unsigned(values.size()));
  llvm::DenseSet<Value> whole;
  for (Operation &op : block.without_terminator()) {
    SmallVector<Value> joined;
    for (Value value : llvm::concat<Value>(SmallVector<Value>(op.getOperands()),
                                           SmallVector<Value>(op.getResults())))
      if (numbers.contains(value))
        joined.push_back(value);
    for (size_t i = 1; i < joined.size(); ++i)
      classes.join(numbers[joined[0]], numbers[joined[i]]);
    const bool isCut = isPointwise(op) || isFilled(op) ||
                       isa<repro::ReshapeOp>(op) || repro::getRowBlock(&op);
    if (!isCut)
      whole.insert(joined.begin(), joined.end());
  }
  // A result lies where the argument does that it replaces.
  auto returned = block.getTerminator()->getOperands();
  auto donated = update->getAttrOfType<DenseI64ArrayAttr>(kPartDonatedAttr);
  for (auto [value, argument] : llvm::zip_equal(returned, donated.asArrayRef()))
    if (argument >= 0 && numbers.contains(value))
      classes.join(numbers[value],
                   numbers[block.getArgument(unsigned(argument))]);
  classes.compress();

  groups.resize(classes.getNumClasses());
  for (auto &[value, number] : numbers)
    number = classes[number];
  for (Value value : values) {
    CutGroup &own = groups[numbers[value]];
    own.elements = std::max(own.elements, elementsOf(value));
    if (whole.contains(value))
      own.kind = CutGroup::Kind::Owned;
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      continue;
    auto name = update.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    program::kNameAttr);
    if (name.getValue().starts_with(kSumPrefix))
      own.hasSum = true;
    else
      own.bytes += bytesOf(value);
  }
  for (Operation &op : block.without_terminator())
    if (const int64_t size = repro::getRowBlock(&op))
      if (auto found = numbers.find(op.getOperand(0)); found != numbers.end()) {
        int64_t &unit = groups[found->second].unit;
        unit = std::lcm(unit, std::min(size, kLongestUnit + 1));
      }
  for (auto [value, argument] : llvm::zip_equal(returned, donated.asArrayRef()))
    if (argument < 0 && numbers.contains(value))
      groups[numbers[value]].kind = CutGroup::Kind::Everywhere;
  for (CutGroup &own : groups) {
    own.unit = std::lcm(own.unit, kUnit);
    if (!own.hasSum)
      own.kind = CutGroup::Kind::Everywhere;
    else if (own.kind == CutGroup::Kind::Cut &&
             (own.elements < kSmallest || own.unit > kLongestUnit))
      own.kind = CutGroup::Kind::Owned;
  }
}

/// What a rank with each load gets of `bytes`, so that loads become as even as
/// they can.
static SmallVector<int64_t> shareOut(int64_t bytes, ArrayRef<int64_t> loads) {
  SmallVector<int64_t> ascending(loads);
  llvm::sort(ascending);
  // The ranks below the level are the first ones.
  int64_t level = 0, below = bytes;
  for (auto [i, load] : llvm::enumerate(ascending)) {
    const int64_t ranks = int64_t(i) + 1;
    below += load;
    level = llvm::divideCeil(below, ranks);
    if (ranks == int64_t(loads.size()) || level <= ascending[i + 1])
      break;
  }
  SmallVector<int64_t> shares;
  for (const int64_t load : loads) {
    shares.push_back(std::clamp<int64_t>(level - load, 0, bytes));
    bytes -= shares.back();
  }
  return shares;
}

/// Lays the tensors of a bucket end to end and cuts them, so that a rank gets
/// few ranges, of about the bytes that even out the loads.
static void cutBucket(ArrayRef<CutGroup *> bucket,
                      MutableArrayRef<int64_t> loads) {
  auto widthOf = [](const CutGroup &group) {
    return std::max<int64_t>(group.bytes / group.elements, 1);
  };
  int64_t bytes = 0;
  for (const CutGroup *group : bucket)
    bytes += widthOf(*group) * group->elements;
  const SmallVector<int64_t> shares = shareOut(bytes, loads);
  int64_t offset = 0;
  for (CutGroup *group : bucket) {
    const int64_t width = widthOf(*group);
    auto placeOf = [&](int64_t byte) {
      const int64_t element =
          std::clamp<int64_t>((byte - offset) / width, 0, group->elements);
      // The end of a tensor need not be a multiple.
      return element == group->elements
                 ? element
                 : std::min<int64_t>(
                       llvm::alignDown(element + group->unit / 2, group->unit),
                       group->elements);
    };
    int64_t end = 0;
    for (auto [share, load] : llvm::zip_equal(shares, loads)) {
      const int64_t begin = placeOf(end);
      end += share;
      group->ranges.push_back({begin, placeOf(end) - begin});
      load += group->ranges.back().count * width;
    }
    offset += width * group->elements;
  }
}

/// Gives each rank about the same number of bytes.
void UpdateCuts::assign(int64_t ranks) {
  SmallVector<int64_t> loads(size_t(ranks), 0);
  SmallVector<CutGroup *> owned, cut;
  for (CutGroup &group : groups)
    if (group.kind == CutGroup::Kind::Owned)
      owned.push_back(&group);
    else if (group.kind == CutGroup::Kind::Cut)
      cut.push_back(&group);
  llvm::stable_sort(owned, [](const CutGroup *a, const CutGroup *b) {
    return a->bytes > b->bytes;
  });
  for (CutGroup *group : owned) {
    group->owner = llvm::min_element(loads) - loads.begin();
    loads[size_t(group->owner)] += group->bytes;
  }
  int64_t left = 0;
  for (const CutGroup *group : cut)
    left += group->elements;
  const int64_t least = std::max(kBucket, kBucketOfRank * ranks);
  for (ArrayRef<CutGroup *> rest = cut; !rest.empty();) {
    size_t count = 0;
    int64_t taken = 0;
    // What is too little for a bucket belongs to the one before.
    while (count < rest.size() && (taken < least || left - taken < least))
      taken += rest[count++]->elements;
    cutBucket(rest.take_front(count), loads);
    rest = rest.drop_front(count);
    left -= taken;
  }
}

void UpdateCuts::findLevels(func::FuncOp update) {
  for (Operation &op : update.getBody().front().without_terminator()) {
    int64_t level = 0;
    const CutGroup *apart = nullptr;
    for (Value operand : op.getOperands()) {
      level = std::max(level, levelOf(operand));
      if (const CutGroup *own = groupOf(operand);
          own && own->kind != CutGroup::Kind::Everywhere)
        apart = own;
    }
    for (Value result : op.getResults()) {
      levels[result] = level;
      if (!apart || numbers.contains(result))
        continue;
      // A number of a divided tensor.
      ExchangedValue exchange{result, apart};
      if (apart->kind == CutGroup::Kind::Cut) {
        exchange.block = repro::getRowBlock(&op);
        exchange.blocks = llvm::divideCeil(apart->elements, exchange.block);
      }
      exchangeNumbers[result] = exchanges.size();
      exchanges.push_back(exchange);
      levels[result] = level + 1;
      mostLevel = std::max(mostLevel, level + 1);
    }
  }
}
