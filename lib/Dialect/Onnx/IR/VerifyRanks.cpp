// Ranks and dimension numbers of nodes, by the table of RankRules.h.

#include "gensyn/Dialect/Onnx/IR/VerifyRanks.h"
#include "RankRules.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {

/// The rank, where it is known.
std::optional<int64_t> rankOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? std::optional(tensor.getRank()) : std::nullopt;
}

/// The types of an operand or result by its name in the schema; more than one
/// where it is variadic.
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

/// The first known rank of a value.
std::optional<int64_t> rankOf(NodeOp node, StringRef name) {
  bool isOperand;
  for (Type type : typesOf(node, name, isOperand))
    if (std::optional<int64_t> rank = rankOf(type))
      return rank;
  return std::nullopt;
}

bool hasOneElement(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.hasStaticShape() &&
         llvm::all_of(tensor.getShape(),
                      [](int64_t extent) { return extent == 1; });
}

InFlightDiagnostic reportValue(NodeOp node, bool isOperand, StringRef name,
                               Type type) {
  return node.emitOpError()
         << (isOperand ? "operand '" : "result '") << name << "' is "
         << describeType(type) << ", expected rank ";
}

LogicalResult verifyRank(NodeOp node, const RankRule &rule) {
  if (node.since() < rule.since)
    return success();
  std::optional<int64_t> wanted;
  if (!rule.like.empty()) {
    wanted = rankOf(node, rule.like);
    if (!wanted)
      return success();
    *wanted += rule.more;
  }
  bool isOperand;
  for (Type type : typesOf(node, rule.value, isOperand)) {
    std::optional<int64_t> rank = rankOf(type);
    if (!rank || (rule.isSizeEnough && hasOneElement(type)))
      continue;
    if (wanted && *rank != *wanted) {
      InFlightDiagnostic error = reportValue(node, isOperand, rule.value, type);
      error << *wanted << ", ";
      if (rule.more)
        error << std::abs(rule.more)
              << (rule.more < 0 ? " less than " : " more than ");
      return error << "that of '" << rule.like << "'";
    }
    if (wanted || (*rank >= rule.least && *rank <= rule.most))
      continue;
    InFlightDiagnostic error = reportValue(node, isOperand, rule.value, type);
    error << rule.least;
    if (rule.most == std::numeric_limits<int64_t>::max())
      error << " or more";
    else if (rule.most != rule.least)
      error << " to " << rule.most;
    return error;
  }
  return success();
}

LogicalResult verifyTuples(NodeOp node, const TupleRule &rule) {
  bool isOperand;
  SmallVector<Type> types = typesOf(node, rule.indices, isOperand);
  auto indices = types.empty() ? RankedTensorType()
                               : dyn_cast<RankedTensorType>(types.front());
  std::optional<int64_t> dataRank = rankOf(node, rule.data);
  int64_t batch = 0;
  if (node.hasFormalAttribute(rule.batchDims))
    batch = node.integer(rule.batchDims).value_or(0);
  if (!indices || !dataRank)
    return success();
  if (batch < 0 || batch >= std::min(indices.getRank(), *dataRank))
    return node.emitOpError()
           << rule.batchDims << " is " << batch << ", expected 0 to "
           << std::min(indices.getRank(), *dataRank) - 1;
  const int64_t count = indices.getShape().back();
  if (ShapedType::isDynamic(count))
    return success();
  // None is allowed: whole slices are taken.
  if (count < 0 || count > *dataRank - batch)
    return node.emitOpError()
           << "operand '" << rule.indices << "' is " << describeType(indices)
           << ", tuples of " << count << " indices, expected at most "
           << *dataRank - batch << " for '" << rule.data << "' of rank "
           << *dataRank;
  const int64_t left = indices.getRank() - 1 + *dataRank - batch - count;
  RankRule result = {rule.result, left, left};
  return verifyRank(node, result);
}

/// Whether `axis` names a dimension; `highest` is the first number that does
/// not.
LogicalResult verifyAxis(NodeOp node, StringRef name, int64_t axis,
                         int64_t rank, int64_t highest) {
  if (axis >= -rank && axis < highest)
    return success();
  return node.emitOpError()
         << name << " " << axis << " is out of range for rank " << rank;
}

/// The attributes that name dimensions, in every operator that has them: those
/// of the first operand, but for a few.
LogicalResult verifyAxes(NodeOp node) {
  const StringRef op = node.opType();
  // Of a list of tensors, or without a meaning where the scale is one number.
  if (node->getNumOperands() == 0 ||
      llvm::is_contained(
          {"ConcatFromSequence", "QuantizeLinear", "DequantizeLinear"}, op))
    return success();
  std::optional<int64_t> rank = rankOf(node->getOperand(0).getType());
  if (!rank)
    return success();
  if (op == "OneHot") // of the result
    ++*rank;
  for (StringRef name : {"axis", "batch_axis", "time_axis"})
    if (node.hasFormalAttribute(name))
      if (std::optional<int64_t> axis = node.integer(name))
        if (failed(verifyAxis(node, name, *axis, *rank,
                              *rank + (op == "Flatten"))))
          return failure();
  if (!node.hasFormalAttribute("axes"))
    return success();
  std::optional<ArrayRef<int64_t>> axes = node.integers("axes");
  if (!axes)
    return success();
  if (op == "Unsqueeze") // of the result
    *rank += static_cast<int64_t>(axes->size());
  for (int64_t axis : *axes)
    if (failed(verifyAxis(node, "axis", axis, *rank, *rank)))
      return failure();
  return success();
}

} // namespace

LogicalResult verifyRanks(NodeOp node) {
  if (!node.schema().domain().empty())
    return success();
  if (const RankRules *rules = RankTable::get().find(node.opType())) {
    for (const RankRule &rule : rules->ranks)
      if (failed(verifyRank(node, rule)))
        return failure();
    if (rules->tuples && failed(verifyTuples(node, *rules->tuples)))
      return failure();
  }
  return verifyAxes(node);
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
    }
    if (const auto &tuples = entry.second.tuples)
      for (StringRef name :
           {tuples->indices, tuples->data, tuples->batchDims, tuples->result})
        add(entry.first(), name);
  }
  return names;
}

} // namespace gensyn::onnx
