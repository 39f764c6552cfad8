// See LossParts.h.

#include "LossParts.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

Value train::reduceAll(repro::FormulaBuilder &f, Value value,
                       Reduction reduction, Value whole) {
  Value sum = f.sum(value);
  RankedTensorType type = repro::typeOf(value);
  if (reduction == Reduction::Sum)
    return sum;
  if (reduction == Reduction::Mean)
    return f.div(sum, static_cast<double>(type.getNumElements()));
  ArrayRef<int64_t> shape = repro::typeOf(whole).getShape();
  return f.div(sum, shape.empty() ? 1.0 : static_cast<double>(shape.front()));
}

Reduction train::readReduction(RecipeObject &recipe, bool ofBatch) {
  if (!recipe.has("reduction"))
    return Reduction::Mean;
  SmallVector<StringRef> words = {"mean", "sum", "batchmean"};
  if (!ofBatch)
    words.pop_back();
  auto index = recipe.choice("reduction", "reduction", words);
  return static_cast<Reduction>(index.value_or(0));
}

RankedTensorType train::getLossType(Value of) {
  return RankedTensorType::get({}, repro::typeOf(of).getElementType());
}

LogicalResult train::verifyLossType(Operation *op, Value of, Value loss) {
  RankedTensorType wanted = getLossType(of);
  if (loss.getType() != wanted)
    return op->emitOpError("loss has type ")
           << loss.getType() << ", not " << wanted;
  return success();
}

std::optional<int64_t> train::normalizeAxis(int64_t axis,
                                            RankedTensorType type) {
  if (axis < -type.getRank() || axis >= type.getRank())
    return std::nullopt;
  return axis < 0 ? axis + type.getRank() : axis;
}

std::optional<int64_t> train::readAxis(RecipeObject &recipe,
                                       RankedTensorType type) {
  int64_t axis = recipe.integer("axis").value_or(-1);
  auto normal = normalizeAxis(axis, type);
  if (!normal)
    recipe.error() << "axis " << axis << " is out of range for rank "
                   << type.getRank();
  return normal;
}

SmallVector<int64_t> train::dimsWithout(RankedTensorType type, int64_t axis) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  dims.erase(dims.begin() + axis);
  return dims;
}

DenseF64ArrayAttr train::readClassWeights(OpBuilder &builder,
                                          RecipeObject &recipe,
                                          RankedTensorType scores,
                                          int64_t axis) {
  if (!recipe.has("weight"))
    return {};
  std::vector<double> weight = recipe.numbers("weight", kNotNegative);
  auto place = normalizeAxis(axis, scores);
  const int64_t classes = place ? scores.getDimSize(*place) : 0;
  if (!recipe.failed() && int64_t(weight.size()) != classes)
    recipe.error() << "'weight' has " << weight.size() << " numbers for "
                   << classes << " classes";
  return builder.getDenseF64ArrayAttr(weight);
}

Value train::createClassWeights(OpBuilder &builder, Location location,
                                ArrayRef<double> weight, RankedTensorType type,
                                int64_t axis) {
  auto list =
      RankedTensorType::get({type.getDimSize(axis)}, type.getElementType());
  SmallVector<Attribute> numbers;
  for (double number : weight)
    numbers.push_back(builder.getFloatAttr(type.getElementType(), number));
  Value constant = repro::ConstantOp::create(
      builder, location, list, DenseElementsAttr::get(list, numbers));
  return repro::createBroadcast(builder, location, constant, type, {axis});
}
