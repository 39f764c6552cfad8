// Checks ranks and dimension numbers of nodes with the table of RankRules.h.

#include "gensyn/Dialect/Onnx/IR/VerifyRanks.h"
#include "RankRules.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "onnx/defs/schema.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {

/// The rank, if it is known.
std::optional<int64_t> rankOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? std::optional(tensor.getRank()) : std::nullopt;
}

/// The types of an operand or result by its name in the schema; more than one
/// if it is variadic.
SmallVector<Type> typesOf(NodeOp node, StringRef name, bool &isOperand) {
  auto find = [&](const auto &formals, TypeRange types) {
    SmallVector<Type> found;
    for (auto [i, formal] : llvm::enumerate(formals)) {
      if (formal.GetName() != name)
        continue;
      const bool isVariadic = formal.GetOption() == ::onnx::OpSchema::Variadic;
      for (size_t k = i; k < types.size() && (k == i || isVariadic); ++k)
        found.push_back(types[k]);
    }
    return found;
  };
  SmallVector<Type> found =
      find(node.schema().inputs(), node->getOperandTypes());
  isOperand = !found.empty() || node.hasFormalInput(name);
  return isOperand ? found
                   : find(node.schema().outputs(), node->getResultTypes());
}

/// The type of a value, the first of known rank if it is variadic; null if none
/// is known.
RankedTensorType typeOf(NodeOp node, StringRef name) {
  bool isOperand;
  for (Type type : typesOf(node, name, isOperand))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return tensor;
  return {};
}

std::optional<int64_t> rankOf(NodeOp node, StringRef name) {
  RankedTensorType type = typeOf(node, name);
  return type ? rankOf(type) : std::nullopt;
}

/// True if it may have one element, as far as its extents are known.
bool isOne(RankedTensorType type) {
  return llvm::all_of(type.getShape(), [](int64_t extent) {
    return extent == 1 || ShapedType::isDynamic(extent);
  });
}

bool mayBeEqual(RankedTensorType a, RankedTensorType b) {
  return llvm::all_of(
      llvm::zip_equal(a.getShape(), b.getShape()), [](auto extents) {
        auto [x, y] = extents;
        return x == y || ShapedType::isDynamic(x) || ShapedType::isDynamic(y);
      });
}

InFlightDiagnostic reportValue(NodeOp node, bool isOperand, StringRef name,
                               Type type) {
  return node.emitOpError() << (isOperand ? "operand '" : "result '") << name
                            << "' is " << describeType(type) << ", expected ";
}

LogicalResult verifyRank(NodeOp node, const RankRule &rule) {
  if (node.since() < rule.since)
    return success();
  RankedTensorType other;
  std::optional<int64_t> wanted;
  if (!rule.like.empty()) {
    other = typeOf(node, rule.like);
    if (!other)
      return success();
    wanted = other.getRank() + rule.more;
  }
  bool isOperand;
  for (Type type : typesOf(node, rule.value, isOperand)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor ||
        (rule.isSizeEnough && isOne(tensor) && (!other || isOne(other))))
      continue;
    const int64_t rank = tensor.getRank();
    if (wanted && rank != *wanted) {
      InFlightDiagnostic error = reportValue(node, isOperand, rule.value, type);
      error << "rank " << *wanted << ", ";
      if (rule.more)
        error << std::abs(rule.more)
              << (rule.more < 0 ? " less than " : " more than ");
      return error << "that of '" << rule.like << "'";
    }
    if (rule.hasSameExtents && !mayBeEqual(tensor, other))
      return reportValue(node, isOperand, rule.value, type)
             << "the shape of '" << rule.like << "', " << describeType(other);
    if (wanted || (rank >= rule.least && rank <= rule.most))
      continue;
    InFlightDiagnostic error = reportValue(node, isOperand, rule.value, type);
    error << "rank " << rule.least;
    if (rule.most == std::numeric_limits<int64_t>::max())
      error << " or more";
    else if (rule.most != rule.least)
      error << " to " << rule.most;
    return error;
  }
  return success();
}

int64_t batchOf(NodeOp node, const TupleRule &rule) {
  return node.hasFormalAttribute(rule.batchDims)
             ? node.integer(rule.batchDims).value_or(0)
             : 0;
}

/// The dimensions that the tuples of indices leave; none if that is not known.
std::optional<int64_t> rankAfter(NodeOp node, const TupleRule &rule) {
  RankedTensorType indices = typeOf(node, rule.indices);
  std::optional<int64_t> dataRank = rankOf(node, rule.data);
  if (!indices || !dataRank || indices.getRank() == 0 ||
      ShapedType::isDynamic(indices.getShape().back()))
    return std::nullopt;
  return indices.getRank() - 1 + *dataRank - batchOf(node, rule) -
         indices.getShape().back();
}

LogicalResult verifyTuples(NodeOp node, const TupleRule &rule) {
  RankedTensorType indices = typeOf(node, rule.indices);
  std::optional<int64_t> dataRank = rankOf(node, rule.data);
  const int64_t batch = batchOf(node, rule);
  if (!indices || !dataRank)
    return success();
  if (batch < 0 || batch >= std::min(indices.getRank(), *dataRank))
    return node.emitOpError()
           << rule.batchDims << " is " << batch << ", expected 0 to "
           << std::min(indices.getRank(), *dataRank) - 1;
  const int64_t count = indices.getShape().back();
  if (ShapedType::isDynamic(count))
    return success();
  // Zero is allowed: whole slices are taken.
  if (count < 0 || count > *dataRank - batch)
    return node.emitOpError()
           << "operand '" << rule.indices << "' is " << describeType(indices)
           << ", tuples of " << count << " indices, expected at most "
           << *dataRank - batch << " for '" << rule.data << "' of rank "
           << *dataRank;
  const int64_t left = *rankAfter(node, rule);
  return verifyRank(node, {rule.result, left, left});
}

/// True if attribute `name` numbers dimensions of a tensor of `rank` with
/// `axes`, where those in [-count, end) are.
LogicalResult verifyAxes(NodeOp node, StringRef name, ArrayRef<int64_t> axes,
                         int64_t rank, int64_t count, int64_t end) {
  for (int64_t axis : axes) {
    if (axis >= -count && axis < end)
      continue;
    InFlightDiagnostic error = node.emitOpError();
    error << (name == "axes" ? "axis" : name) << " " << axis;
    if (!node->hasAttr(name)) {
      error << " of the default [";
      llvm::interleaveComma(axes, error);
      error << "]";
    }
    return error << " is out of range for rank " << rank;
  }
  return success();
}

/// The attributes that name dimensions, in every operator that has them.
LogicalResult verifyAxes(NodeOp node, const AxisRule &rule) {
  std::optional<int64_t> rank;
  if (node->getNumOperands() > 0)
    rank = rankOf(node->getOperand(0).getType());
  if (!rank)
    return success();
  if (!rule.unlessOne.empty()) {
    RankedTensorType other = typeOf(node, rule.unlessOne);
    if (!other || isOne(other))
      return success();
  }
  *rank += rule.more;
  const int64_t count = rule.isScalarLine ? std::max<int64_t>(*rank, 1) : *rank;
  for (StringRef name : {"axis", "batch_axis", "time_axis"})
    if (node.hasFormalAttribute(name))
      if (std::optional<int64_t> axis = node.integer(name))
        if (failed(verifyAxes(node, name, *axis, *rank, count,
                              count + rule.isEndAllowed)))
          return failure();
  std::optional<ArrayRef<int64_t>> axes;
  if (node.hasFormalAttribute("axes"))
    axes = node.integers("axes");
  if (!axes)
    return success();
  const auto added = rule.areNew ? static_cast<int64_t>(axes->size()) : 0;
  return verifyAxes(node, "axes", *axes, *rank + added, count + added,
                    count + added);
}

/// The element type of a result. If it is not known, that of an operand whose
/// type the schema binds to the same variable. Null for anything but a tensor.
Type elementOf(NodeOp node, const ::onnx::OpSchema::FormalParameter &formal,
               Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensor.getElementType();
  if (!isa<UnknownType>(type))
    return {};
  for (auto [other, operand] :
       llvm::zip(node.schema().inputs(), node->getOperandTypes()))
    if (auto tensor = dyn_cast<TensorType>(operand);
        tensor && other.GetTypeStr() == formal.GetTypeStr())
      return tensor.getElementType();
  return {};
}

/// The shape that `rule` gives its value; null if it gives none.
RankedTensorType shapeBy(NodeOp node, const RankRule &rule, Type element,
                         function_ref<ElementsAttr(Value)> constantOf) {
  if (node.since() < rule.since || rule.isSizeEnough)
    return {};
  RankedTensorType other;
  if (!rule.like.empty()) {
    other = typeOf(node, rule.like);
    if (!other)
      return {};
  } else if (rule.least != rule.most) {
    return {};
  }
  const int64_t rank = other ? other.getRank() + rule.more : rule.least;
  SmallVector<int64_t> shape(static_cast<size_t>(std::max<int64_t>(rank, 0)),
                             ShapedType::kDynamic);
  if (rule.hasSameExtents)
    shape = llvm::to_vector(other.getShape());
  Value operand = !rule.extents.empty() && node.hasFormalInput(rule.extents)
                      ? node.input(rule.extents)
                      : Value();
  ElementsAttr given = operand ? constantOf(operand) : ElementsAttr();
  auto extents = given ? integersOf(given) : std::nullopt;
  if (extents && extents->size() == shape.size() &&
      llvm::all_of(*extents, [](int64_t extent) { return extent >= 0; }))
    shape = *extents;
  return RankedTensorType::get(shape, element);
}

} // namespace

LogicalResult verifyRanks(NodeOp node) {
  if (!node.domain().empty())
    return success();
  const RankRules *rules = RankTable::get().find(node.opType());
  if (!rules)
    return verifyAxes(node, {});
  for (const RankRule &rule : rules->ranks)
    if (failed(verifyRank(node, rule)))
      return failure();
  if (rules->tuples && failed(verifyTuples(node, *rules->tuples)))
    return failure();
  return verifyAxes(node, rules->axes);
}

SmallVector<std::pair<OpResult, RankedTensorType>>
shapesByRanks(NodeOp node, function_ref<ElementsAttr(Value)> constantOf) {
  SmallVector<std::pair<OpResult, RankedTensorType>> shapes;
  const RankRules *rules =
      node.domain().empty() ? RankTable::get().find(node.opType()) : nullptr;
  if (!rules)
    return shapes;
  std::vector<RankRule> ranks = rules->ranks;
  if (rules->tuples)
    if (std::optional<int64_t> left = rankAfter(node, *rules->tuples))
      ranks.push_back({rules->tuples->result, *left, *left});
  for (const RankRule &rule : ranks)
    for (auto [formal, result] :
         llvm::zip(node.schema().outputs(), node->getResults())) {
      if (formal.GetName() != rule.value)
        continue;
      if (Type element = elementOf(node, formal, result.getType()))
        if (RankedTensorType shape = shapeBy(node, rule, element, constantOf))
          shapes.emplace_back(result, shape);
    }
  return shapes;
}

std::vector<std::pair<std::string, std::string>> namesInRankRules() {
  std::vector<std::pair<std::string, std::string>> names;
  auto add = [&](StringRef op, StringRef name) {
    if (!name.empty())
      names.emplace_back(op.str(), name.str());
  };
  for (const auto &entry : RankTable::get().all()) {
    for (const RankRule &rule : entry.second.ranks) {
      add(entry.first(), rule.value);
      add(entry.first(), rule.like);
      add(entry.first(), rule.extents);
    }
    if (const auto &tuples = entry.second.tuples)
      for (StringRef name :
           {tuples->indices, tuples->data, tuples->batchDims, tuples->result})
        add(entry.first(), name);
    add(entry.first(), entry.second.axes.unlessOne);
  }
  return names;
}

} // namespace gensyn::onnx
