// Ranks and dimension numbers of nodes, by a table of rules.

#include "gensyn/Dialect/Onnx/IR/VerifyRanks.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"

#include "llvm/ADT/StringMap.h"

#include <limits>

using namespace mlir;

namespace gensyn::onnx {
namespace {

/// What holds of the rank of an operand or a result. One of a variadic list
/// holds of each of its values.
struct RankRule {
  StringRef value;
  int64_t least = 0, most = std::numeric_limits<int64_t>::max();
  /// The rank is that of this value and `more`.
  StringRef like = {};
  int64_t more = 0;
  /// One element may have any rank.
  bool isSizeEnough = false;
  /// The first version of the operator that says so.
  int since = 1;
};

RankRule atLeast(int64_t rank, StringRef value) { return {value, rank}; }
RankRule exactly(int64_t rank, StringRef value) { return {value, rank, rank}; }
RankRule between(int64_t least, int64_t most, StringRef value) {
  return {value, least, most};
}
/// A number, or a list that may hold just one.
RankRule number(StringRef value) { return {value, 0, 1}; }
RankRule list(StringRef value) { return exactly(1, value); }
RankRule like(StringRef value, StringRef other, int64_t more = 0) {
  RankRule rule{value};
  rule.like = other;
  rule.more = more;
  return rule;
}
RankRule orOne(RankRule rule) {
  rule.isSizeEnough = true;
  return rule;
}
RankRule since(int version, RankRule rule) {
  rule.since = version;
  return rule;
}

/// The last dimension of `indices` counts dimensions of `data`, those after the
/// first `batchDims` of them; `result`, an operand or a result, has the
/// dimensions of both that are left.
struct TupleRule {
  StringRef indices, data, batchDims, result;
};

struct Rules {
  std::vector<RankRule> ranks;
  std::optional<TupleRule> tuples = std::nullopt;
};

class RuleTable {
public:
  RuleTable();
  const Rules *find(StringRef op) const {
    auto it = rules.find(op);
    return it == rules.end() ? nullptr : &it->second;
  }
  const llvm::StringMap<Rules> &all() const { return rules; }

private:
  void add(std::initializer_list<StringRef> ops, std::vector<RankRule> ranks,
           std::optional<TupleRule> tuples = std::nullopt) {
    for (StringRef op : ops)
      rules[op] = {ranks, tuples};
  }
  void addLayers();
  void addMovement();
  void addIndexing();
  void addNumbers();

  llvm::StringMap<Rules> rules;
};

RuleTable::RuleTable() {
  addLayers();
  addMovement();
  addIndexing();
  addNumbers();
}

/// Batch first, then channels, then places.
void RuleTable::addLayers() {
  add({"AveragePool", "LpPool"}, {atLeast(3, "X"), like("Y", "X")});
  add({"MaxPool"}, {atLeast(3, "X"), like("Y", "X"), like("Indices", "X")});
  add({"GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool", "LRN"},
      {atLeast(2, "X"), like("Y", "X")});
  add({"Conv", "ConvTranspose"},
      {atLeast(3, "X"), like("W", "X"), list("B"), like("Y", "X")});
  add({"DeformConv"}, {atLeast(3, "X"), like("W", "X"), like("offset", "X"),
                       list("B"), like("mask", "X"), like("Y", "X")});
  add({"ConvInteger"}, {atLeast(3, "x"), like("w", "x"), like("y", "x")});
  add({"QLinearConv"},
      {atLeast(3, "x"), like("w", "x"), list("B"), like("y", "x")});
  add({"CausalConvWithState"}, {exactly(3, "input"), exactly(3, "weight"),
                                list("bias"), exactly(3, "past_state")});
  add({"MaxUnpool"}, {atLeast(3, "X"), like("I", "X"), list("output_shape"),
                      like("output", "X")});
  add({"Col2Im"}, {exactly(3, "input"), list("image_shape"),
                   list("block_shape"), atLeast(3, "output")});
  add({"MaxRoiPool"}, {exactly(4, "X"), exactly(2, "rois"), exactly(4, "Y")});
  add({"RoiAlign"}, {exactly(4, "X"), exactly(2, "rois"), list("batch_indices"),
                     exactly(4, "Y")});
  add({"GridSample"}, {atLeast(3, "X"), like("grid", "X"), like("Y", "X")});
  add({"AffineGrid"}, {exactly(3, "theta"), list("size")});
  add({"BatchNormalization"},
      {atLeast(1, "X"), since(9, list("scale")), since(9, list("B")),
       since(9, list("mean")), since(9, list("var")), list("input_mean"),
       list("input_var"), like("Y", "X")});
  add({"InstanceNormalization"},
      {atLeast(2, "input"), list("scale"), list("B"), like("output", "input")});
  add({"GroupNormalization"},
      {atLeast(2, "X"), list("scale"), list("bias"), like("Y", "X")});
  add({"LayerNormalization", "RMSNormalization"},
      {atLeast(1, "X"), like("Y", "X")});
  add({"NegativeLogLikelihoodLoss"},
      {atLeast(2, "input"), like("target", "input", -1), list("weight")});
  add({"SoftmaxCrossEntropyLoss"},
      {atLeast(2, "scores"), like("labels", "scores", -1), list("weights"),
       like("log_prob", "scores")});
  std::vector<RankRule> recurrent = {
      exactly(3, "X"), exactly(3, "W"),       exactly(3, "R"),
      exactly(2, "B"), list("sequence_lens"), exactly(3, "initial_h"),
      exactly(4, "Y"), exactly(3, "Y_h")};
  add({"GRU", "RNN"}, recurrent);
  llvm::append_range(recurrent, std::initializer_list<RankRule>{
                                    exactly(3, "initial_c"), exactly(2, "P"),
                                    exactly(3, "Y_c")});
  add({"LSTM"}, recurrent);
  add({"Attention"}, {between(3, 4, "Q"), like("K", "Q"), like("V", "Q"),
                      between(1, 4, "attn_mask"), exactly(4, "past_key"),
                      exactly(4, "past_value"), like("Y", "Q")});
  add({"RotaryEmbedding"}, {between(3, 4, "X"), between(2, 3, "cos_cache"),
                            like("sin_cache", "cos_cache"),
                            exactly(2, "position_ids"), like("Y", "X")});
}

/// Elements that move, and lists of numbers that say where to.
void RuleTable::addMovement() {
  add({"Concat"}, {atLeast(1, "inputs"), like("inputs", "inputs"),
                   like("concat_result", "inputs")});
  add({"Split"}, {atLeast(1, "input"), list("split"), like("outputs", "input"),
                  like("outputs...", "input")});
  add({"SplitToSequence"}, {atLeast(1, "input"), number("split")});
  add({"Slice"}, {list("starts"), list("ends"), list("axes"), list("steps"),
                  like("output", "data")});
  add({"Pad"}, {list("pads"), orOne(number("constant_value")), list("axes"),
                like("output", "data")});
  add({"CenterCropPad"}, {list("shape"), like("output_data", "input_data")});
  add({"Tile"}, {list("repeats"), like("output", "input")});
  add({"Expand"}, {list("shape")});
  add({"Reshape"}, {list("shape")});
  add({"ConstantOfShape"}, {list("input")});
  add({"Squeeze", "Unsqueeze"}, {number("axes")});
  add({"Transpose"}, {like("transposed", "data")});
  add({"Resize"}, {list("roi"), list("scales"), list("sizes"), like("Y", "X")});
  add({"Upsample"}, {list("scales"), like("Y", "X")});
  add({"DepthToSpace", "SpaceToDepth"},
      {exactly(4, "input"), exactly(4, "output")});
  add({"ReverseSequence"},
      {atLeast(2, "input"), list("sequence_lens"), like("Y", "input")});
  add({"Trilu"}, {atLeast(2, "input"), number("k"), like("output", "input")});
  add({"EyeLike"}, {exactly(2, "input"), exactly(2, "output")});
}

/// Indices, and what is sorted or chosen by them.
void RuleTable::addIndexing() {
  add({"Gather"}, {atLeast(1, "data")});
  add({"GatherElements"},
      {atLeast(1, "data"), like("indices", "data"), like("output", "indices")});
  add({"Scatter", "ScatterElements"},
      {atLeast(1, "data"), like("indices", "data"), like("updates", "data"),
       like("output", "data")});
  add({"GatherND"}, {atLeast(1, "data"), atLeast(1, "indices")},
      TupleRule{"indices", "data", "batch_dims", "output"});
  add({"ScatterND"},
      {atLeast(1, "data"), atLeast(1, "indices"), like("output", "data")},
      TupleRule{"indices", "data", "", "updates"});
  add({"TensorScatter"},
      {atLeast(2, "past_cache"), like("update", "past_cache"),
       list("write_indices"), like("present_cache", "past_cache")});
  add({"OneHot"},
      {number("depth"), list("values"), like("output", "indices", 1)});
  add({"TopK"}, {atLeast(1, "X"), number("K"), like("Values", "X"),
                 like("Indices", "X")});
  add({"Compress"}, {list("condition")});
  add({"NonZero"}, {exactly(2, "Y")});
  add({"NonMaxSuppression"},
      {exactly(3, "boxes"), exactly(3, "scores"),
       number("max_output_boxes_per_class"), number("iou_threshold"),
       number("score_threshold"), exactly(2, "selected_indices")});
  add({"Unique"}, {list("indices"), list("inverse_indices"), list("counts")});
  add({"Multinomial"}, {exactly(2, "input"), exactly(2, "output")});
  add({"TfIdfVectorizer"}, {between(1, 2, "X"), like("Y", "X")});
}

/// Matrices, sums along dimensions, and parameters that are one number.
void RuleTable::addNumbers() {
  add({"Gemm"},
      {exactly(2, "A"), exactly(2, "B"), between(0, 2, "C"), exactly(2, "Y")});
  add({"MatMul", "MatMulInteger"}, {atLeast(1, "A"), atLeast(1, "B")});
  add({"QLinearMatMul"}, {atLeast(1, "a"), atLeast(1, "b")});
  add({"QuantizeLinear"},
      {orOne(like("y_zero_point", "y_scale")), like("y", "x")});
  add({"DequantizeLinear"},
      {orOne(like("x_zero_point", "x_scale")), like("y", "x")});
  add({"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
       "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"},
      {number("axes")});
  add({"CumProd", "CumSum"}, {atLeast(1, "x"), number("axis"), like("y", "x")});
  add({"Det"}, {atLeast(2, "X")});
  add({"DFT"}, {atLeast(2, "input"), number("dft_length"),
                orOne(number("axis")), like("output", "input")});
  add({"STFT"}, {between(2, 3, "signal"), number("frame_step"), list("window"),
                 number("frame_length"), exactly(4, "output")});
  add({"MelWeightMatrix"}, {number("num_mel_bins"), number("dft_length"),
                            number("sample_rate"), number("lower_edge_hertz"),
                            number("upper_edge_hertz"), exactly(2, "output")});
  add({"Range"}, {orOne(number("start")), orOne(number("limit")),
                  orOne(number("delta")), list("output")});
  add({"Clip"}, {orOne(number("min")), orOne(number("max"))});
  add({"Dropout"}, {orOne(number("ratio")), orOne(number("training_mode"))});
  add({"If"}, {orOne(number("cond"))});
  add({"Loop"}, {orOne(number("M")), orOne(number("cond"))});
}

const RuleTable &ruleTable() {
  static const RuleTable table;
  return table;
}

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
  RankRule result = exactly(left, rule.result);
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
  if (const Rules *rules = ruleTable().find(node.opType())) {
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
  for (const auto &entry : ruleTable().all()) {
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
