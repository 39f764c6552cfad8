// Reference semantics of the movement ops: strided copies.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/Walk.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

namespace {
using Results = FailureOr<SmallVector<Tensor>>;

/// An unsigned integer as wide as the element: movement keeps bits.
template <class Body> void dispatchWidth(ElementType type, Body &&body) {
  switch (byteWidth(type)) {
  case 1:
    return body(uint8_t());
  case 2:
    return body(uint16_t());
  case 4:
    return body(uint32_t());
  default:
    return body(uint64_t());
  }
}

/// Copies a box of `shape` between two strided places, offsets in elements.
void copy(const Tensor &from, Tensor &to, ArrayRef<int64_t> shape,
          std::vector<int64_t> fromStrides, int64_t fromOffset,
          std::vector<int64_t> toStrides, int64_t toOffset) {
  dispatchWidth(from.elementType(), [&](auto zero) {
    using T = decltype(zero);
    const T *in = from.as<T>();
    T *out = to.as<T>();
    forEachRow<2>(std::span<const int64_t>(shape.data(), shape.size()),
                  {std::move(fromStrides), std::move(toStrides)},
                  {fromOffset, toOffset},
                  [&](std::array<int64_t, 2> at, int64_t n,
                      const std::array<int64_t, 2> &step) {
                    for (int64_t i = 0; i < n; ++i)
                      out[at[1] + i * step[1]] = in[at[0] + i * step[0]];
                  });
  });
}
} // namespace

Results ConstantOp::evaluate(ArrayRef<Tensor>) {
  return SmallVector<Tensor>{toTensor(cast<ElementsAttr>(getValue()))};
}

Results IotaOp::evaluate(ArrayRef<Tensor>) {
  std::vector<int64_t> shape = shapeOf(getResult());
  Tensor result(*getElementType(getType().getElementType()), shape);
  int64_t inner = result.rowMajorStrides()[getDim()], extent = shape[getDim()];
  dispatchWidth(result.elementType(), [&](auto zero) {
    using T = decltype(zero);
    T *out = result.as<T>();
    for (int64_t i = 0, n = result.numElements(); i < n; ++i)
      out[i] = static_cast<T>(i / inner % extent);
  });
  return SmallVector<Tensor>{result};
}

Results ReshapeOp::evaluate(ArrayRef<Tensor> operands) {
  return SmallVector<Tensor>{operands[0].reshaped(shapeOf(getResult()))};
}

Results TransposeOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result(operands[0].elementType(), shapeOf(getResult()));
  std::vector<int64_t> in = operands[0].rowMajorStrides(), strides;
  for (int64_t dim : getPermutation())
    strides.push_back(in[dim]);
  copy(operands[0], result, result.shape(), strides, 0,
       result.rowMajorStrides(), 0);
  return SmallVector<Tensor>{result};
}

Results BroadcastOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result(operands[0].elementType(), shapeOf(getResult()));
  std::vector<int64_t> in = operands[0].rowMajorStrides();
  std::vector<int64_t> strides(result.rank(), 0);
  for (auto [k, dim] : llvm::enumerate(getDims()))
    strides[dim] = in[k];
  copy(operands[0], result, result.shape(), strides, 0,
       result.rowMajorStrides(), 0);
  return SmallVector<Tensor>{result};
}

Results SliceOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result(operands[0].elementType(), shapeOf(getResult()));
  std::vector<int64_t> strides = operands[0].rowMajorStrides();
  int64_t offset = 0;
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    offset += getStart()[dim] * strides[dim];
    strides[dim] *= getStride()[dim];
  }
  copy(operands[0], result, result.shape(), strides, offset,
       result.rowMajorStrides(), 0);
  return SmallVector<Tensor>{result};
}

Results PadOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result(operands[0].elementType(), shapeOf(getResult()));
  std::vector<int64_t> none(result.rank(), 0);
  copy(operands[1], result, result.shape(), none, 0, result.rowMajorStrides(),
       0);
  std::vector<int64_t> strides = result.rowMajorStrides();
  int64_t offset = 0;
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    offset += getLow()[dim] * strides[dim];
    strides[dim] *= getInterior()[dim] + 1;
  }
  copy(operands[0], result, operands[0].shape(), operands[0].rowMajorStrides(),
       0, strides, offset);
  return SmallVector<Tensor>{result};
}

Results ConcatOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result(operands[0].elementType(), shapeOf(getResult()));
  std::vector<int64_t> strides = result.rowMajorStrides();
  int64_t offset = 0;
  for (const Tensor &operand : operands) {
    copy(operand, result, operand.shape(), operand.rowMajorStrides(), 0,
         strides, offset);
    offset += operand.shape()[getDim()] * strides[getDim()];
  }
  return SmallVector<Tensor>{result};
}

Results ReverseOp::evaluate(ArrayRef<Tensor> operands) {
  Tensor result(operands[0].elementType(), shapeOf(getResult()));
  std::vector<int64_t> strides = operands[0].rowMajorStrides();
  int64_t offset = 0;
  for (int64_t dim : getDims()) {
    offset += (result.shape()[dim] - 1) * strides[dim];
    strides[dim] = -strides[dim];
  }
  copy(operands[0], result, result.shape(), strides, offset,
       result.rowMajorStrides(), 0);
  return SmallVector<Tensor>{result};
}
