// Sizes of results as onnxruntime and exporting frameworks compute them.

#include "RuntimeShapes.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;

namespace gensyn::onnx {
namespace {
using Shape = ::onnx::TensorShapeProto;
constexpr float kLargest = 1LL << 53; ///< beyond it the schema's size stays

std::optional<SmallVector<float>> floatsOf(ElementsAttr value) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!elements || !elements.getElementType().isF32())
    return std::nullopt;
  return llvm::to_vector(elements.getValues<float>());
}

/// The dimensions for which scales or sizes are given.
SmallVector<int64_t> resizedDimensions(NodeOp node, int64_t rank) {
  SmallVector<int64_t> dims;
  if (node.hasFormalAttribute("axes"))
    if (auto axes = node.integers("axes"))
      for (int64_t axis : *axes)
        dims.push_back(axis < 0 ? axis + rank : axis);
  if (dims.empty())
    dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return dims;
}

/// By scales: the product in float32, truncated. 0.7 of 10 elements are 7;
/// ONNX's inference gets 6, since 10 times the float nearest to 0.7 is a little
/// less than 7. A size that the file declares stays: the framework computed it.
void scaleSizes(NodeOp node, ArrayRef<float> scales, ArrayRef<int64_t> dims,
                const Shape &in, Shape &out) {
  auto declared = dyn_cast<RankedTensorType>(node->getResult(0).getType());
  for (auto [dim, scale] : llvm::zip_equal(dims, scales)) {
    if (!in.dim(dim).has_dim_value() || !out.dim(dim).has_dim_value())
      continue;
    const int64_t exact = out.dim(dim).dim_value();
    const float product = scale * static_cast<float>(in.dim(dim).dim_value());
    const bool isDeclared = declared && declared.getRank() == out.dim_size() &&
                            declared.getDimSize(dim) == exact;
    if (!isDeclared && product >= 0 && product < kLargest)
      out.mutable_dim(dim)->set_dim_value(static_cast<int64_t>(product));
  }
}

/// By sizes of which only the ratio counts: one scale in float32 for all.
void fitSizes(NodeOp node, ArrayRef<int64_t> sizes, ArrayRef<int64_t> dims,
              const Shape &in, Shape &out) {
  StringRef policy =
      node.string("keep_aspect_ratio_policy").value_or("stretch");
  std::optional<float> common;
  for (auto [dim, size] : llvm::zip_equal(dims, sizes)) {
    if (!in.dim(dim).has_dim_value() || in.dim(dim).dim_value() == 0)
      return;
    const float scale =
        static_cast<float>(size) / static_cast<float>(in.dim(dim).dim_value());
    common = !common                  ? scale
             : policy == "not_larger" ? std::min(*common, scale)
                                      : std::max(*common, scale);
  }
  for (int64_t dim : dims) {
    const float size =
        std::round(*common * static_cast<float>(in.dim(dim).dim_value()));
    if (size >= 0 && size < kLargest)
      out.mutable_dim(dim)->set_dim_value(static_cast<int64_t>(size));
  }
}

void correctResize(NodeOp node, InferenceState &state, NodeContext &context) {
  const ::onnx::TypeProto *type = context.getInputType(0);
  ::onnx::TypeProto *result = context.getOutputType(0);
  if (!type || !type->tensor_type().has_shape() ||
      !result->tensor_type().has_shape())
    return;
  const Shape &in = type->tensor_type().shape();
  Shape &out = *result->mutable_tensor_type()->mutable_shape();
  SmallVector<int64_t> dims = resizedDimensions(node, in.dim_size());
  if (in.dim_size() != out.dim_size() || llvm::any_of(dims, [&](int64_t dim) {
        return dim < 0 || dim >= in.dim_size();
      }))
    return;
  auto constant = [&](StringRef formal) {
    Value value = node.hasFormalInput(formal) ? node.input(formal) : Value();
    return value ? state.constantOf(value) : ElementsAttr();
  };
  std::optional<SmallVector<float>> scales = floatsOf(constant("scales"));
  if (node.hasFormalAttribute("scales"))
    if (auto given = node.reals("scales"))
      scales.emplace(*given);
  if (scales && scales->size() == dims.size())
    return scaleSizes(node, *scales, dims, in, out);
  const bool keepsRatio =
      node.hasFormalAttribute("keep_aspect_ratio_policy") &&
      node.string("keep_aspect_ratio_policy").value_or("stretch") != "stretch";
  ElementsAttr given = constant("sizes");
  auto sizes = given && keepsRatio ? integersOf(given) : std::nullopt;
  if (sizes && sizes->size() == dims.size())
    fitSizes(node, *sizes, dims, in, out);
}

/// ONNX's inference rejects a size below the operand's, but pads may remove
/// that much.
void correctConvTranspose(NodeOp node, InferenceState & /*state*/,
                          NodeContext &context) {
  const ::onnx::TypeProto *type = context.getInputType(0);
  ::onnx::TypeProto *result = context.getOutputType(0);
  auto sizes = node.integers("output_shape");
  if (!sizes || !type || !type->tensor_type().has_shape() ||
      !result->tensor_type().has_shape())
    return;
  Shape &out = *result->mutable_tensor_type()->mutable_shape();
  const int rank = type->tensor_type().shape().dim_size();
  const auto known = static_cast<size_t>(out.dim_size());
  if (known < 2 || sizes->size() + 2 != static_cast<size_t>(rank) ||
      llvm::any_of(*sizes, [](int64_t size) { return size < 1; }))
    return;
  for (size_t i = known; i < sizes->size() + 2; ++i)
    out.add_dim()->set_dim_value((*sizes)[i - 2]);
}
} // namespace

void correctShapes(NodeOp node, InferenceState &state, NodeContext &context) {
  if (!node.domain().empty())
    return;
  using Correction = void (*)(NodeOp, InferenceState &, NodeContext &);
  if (auto correct = llvm::StringSwitch<Correction>(node.opType())
                         .Cases({"Resize", "Upsample"}, correctResize)
                         .Case("ConvTranspose", correctConvTranspose)
                         .Default(nullptr))
    correct(node, state, context);
}
} // namespace gensyn::onnx
