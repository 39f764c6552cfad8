// See StepClip.h. Norms are in f64: the squares of f32 are exact there and
// neither underflow nor overflow.

#include "StepClip.h"

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/RecipeObject.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::CompareKind;

FailureOr<std::optional<Clip>> train::readClip(const TrainingOptions &options,
                                               Location location) {
  const auto &written = options.recipe.objects.clip;
  if (!written)
    return std::optional<Clip>();
  RecipeObject recipe("recipe: clip", *written, location);
  Clip clip;
  clip.byValue = recipe.has("value");
  if (clip.byValue == recipe.has("norm"))
    return recipe.error() << "either 'norm' or 'value' is wanted";
  clip.bound = recipe.number(clip.byValue ? "value" : "norm", 0.0,
                             NumberRange::atLeast(0.0));
  const nlohmann::json *type =
      clip.byValue ? nullptr : recipe.find("norm_type");
  if (type) {
    if (*type == "inf")
      clip.norm = Clip::Norm::Largest;
    else if (*type == 1.0)
      clip.norm = Clip::Norm::One;
    else if (*type != 2.0)
      return recipe.error() << "'norm_type' is not 1, 2 or \"inf\"";
  }
  if (failed(recipe.finish()))
    return failure();
  return std::optional<Clip>(clip);
}

/// Returns one tensor's part of the norm.
static Value buildPart(repro::FormulaBuilder &f, OpBuilder &builder,
                       Location location, Clip::Norm norm, Value gradient) {
  const int64_t rank = repro::typeOf(gradient).getRank();
  if (norm == Clip::Norm::Largest) {
    Value size = f.abs(gradient);
    if (rank > 0)
      size = repro::createReduce(builder, location, repro::ReduceKind::Max,
                                 size, 0, rank - 1);
    return f.convert(size, builder.getF64Type());
  }
  Value wide = f.convert(gradient, builder.getF64Type());
  return f.sum(norm == Clip::Norm::One ? f.abs(wide) : f.mul(wide, wide));
}

Value train::buildClip(const Clip &clip, OpBuilder &builder, Location location,
                       MutableArrayRef<Value> gradients) {
  repro::FormulaBuilder f(builder, location);
  if (clip.byValue) {
    for (Value &gradient : gradients) {
      Value high = f.fill(gradient, clip.bound);
      Value low = f.fill(gradient, -clip.bound);
      gradient = repro::MinOp::create(builder, location, gradient.getType(),
                                      f.max(gradient, low), high);
    }
    return nullptr;
  }
  Value norm;
  for (Value gradient : gradients) {
    Value part = buildPart(f, builder, location, clip.norm, gradient);
    if (!norm)
      norm = part;
    else
      norm = clip.norm == Clip::Norm::Largest ? f.max(norm, part)
                                              : f.add(norm, part);
  }
  if (!norm)
    return nullptr;
  if (clip.norm == Clip::Norm::Two)
    norm = f.sqrt(norm);
  Value factor = f.div(clip.bound, f.add(norm, 1e-6));
  // A NaN stays a NaN.
  Value isLarge = f.compare(CompareKind::Gt, factor, 1.0);
  factor = f.select(isLarge, f.fill(factor, 1.0), factor);
  for (Value &gradient : gradients)
    gradient = f.mul(gradient, f.convertAndSpread(factor, gradient));
  return norm;
}
