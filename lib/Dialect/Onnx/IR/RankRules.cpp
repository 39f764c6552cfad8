// The rank rules, by family.

#include "RankRules.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {

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
RankRule sameShape(StringRef value, StringRef other) {
  RankRule rule = like(value, other);
  rule.hasSameExtents = true;
  return rule;
}
RankRule withExtents(StringRef operand, RankRule rule) {
  rule.extents = operand;
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

} // namespace

RankTable::RankTable() {
  addLayers();
  addMovement();
  addIndexing();
  addNumbers();
}

/// Batch first, then channels, then spatial dimensions.
void RankTable::addLayers() {
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
                      withExtents("output_shape", like("output", "X"))});
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
      {atLeast(2, "X"), list("scale"), list("bias"), sameShape("Y", "X")});
  add({"MeanVarianceNormalization"}, {sameShape("Y", "X")});
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

/// Movement of elements, and the lists of numbers that control it.
void RankTable::addMovement() {
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
  add({"Squeeze"}, {number("axes")});
  add({"Unsqueeze"}, {number("axes")}, AxisRule{.areNew = true});
  add({"Flatten"}, {exactly(2, "output")}, AxisRule{.isEndAllowed = true});
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

/// Indices, and operators that sort or choose by them.
void RankTable::addIndexing() {
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
      {number("depth"), list("values"), like("output", "indices", 1)},
      AxisRule{.more = 1});
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

/// Matrices, sums along dimensions, and scalar parameters.
void RankTable::addNumbers() {
  add({"Gemm"},
      {exactly(2, "A"), exactly(2, "B"), between(0, 2, "C"), exactly(2, "Y")});
  add({"MatMul", "MatMulInteger"}, {atLeast(1, "A"), atLeast(1, "B")});
  add({"QLinearMatMul"}, {atLeast(1, "a"), atLeast(1, "b")});
  add({"QuantizeLinear"},
      {orOne(sameShape("y_zero_point", "y_scale")), like("y", "x")},
      AxisRule{.unlessOne = "y_scale"});
  add({"DequantizeLinear"},
      {orOne(sameShape("x_zero_point", "x_scale")), like("y", "x")},
      AxisRule{.unlessOne = "x_scale"});
  add({"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
       "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"},
      {number("axes")}, AxisRule{.isScalarLine = true});
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

const RankTable &RankTable::get() {
  static const RankTable table;
  return table;
}

} // namespace gensyn::onnx
