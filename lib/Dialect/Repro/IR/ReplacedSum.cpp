// See ReplacedSum.h.

#include "gensyn/Dialect/Repro/IR/ReplacedSum.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

static constexpr llvm::StringLiteral kForm = "sum", kPoints = "points",
                                     kRoundings = "roundings",
                                     kPointError = "point_error";

Location gensyn::repro::withReplacedSum(Location location,
                                        const ReplacedSum &sum) {
  Builder builder(location.getContext());
  return FusedLoc::get(
      {location},
      builder.getDictionaryAttr(
          {builder.getNamedAttr(kForm, builder.getStringAttr(sum.form)),
           builder.getNamedAttr(kPoints, builder.getI64IntegerAttr(sum.points)),
           builder.getNamedAttr(kRoundings,
                                builder.getI64IntegerAttr(sum.roundings)),
           builder.getNamedAttr(kPointError,
                                builder.getF64FloatAttr(sum.pointError))}),
      location.getContext());
}

std::optional<gensyn::repro::ReplacedSum>
gensyn::repro::readReplacedSum(Location location) {
  std::optional<ReplacedSum> found;
  location->walk([&](Location part) {
    auto fused = dyn_cast<FusedLoc>(part);
    auto facts = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
                       : DictionaryAttr();
    if (!facts)
      return WalkResult::advance();
    const auto form = facts.getAs<StringAttr>(kForm);
    const auto points = facts.getAs<IntegerAttr>(kPoints);
    const auto roundings = facts.getAs<IntegerAttr>(kRoundings);
    const auto pointError = facts.getAs<FloatAttr>(kPointError);
    if (!form || !points || !roundings || !pointError)
      return WalkResult::advance();
    found = ReplacedSum{form.str(), points.getInt(), roundings.getInt(),
                        pointError.getValueAsDouble()};
    return WalkResult::interrupt();
  });
  return found;
}
