// See PointwiseEmitter.h.

#include "PointwiseEmitter.h"

#include "gensyn/Codegen/Emit/RandomBits.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace gensyn::gpu {

PointwiseEmitter::PointwiseEmitter(OpBuilder &builder, repro::KernelOp kernel,
                                   const KernelFunction &function,
                                   const Target &target, Value first,
                                   int64_t elements, int64_t width)
    : PointerEmitter(builder, kernel, function, target), first(first),
      elements(elements), width(width) {}

void PointwiseEmitter::setLane(int64_t newOffset, int64_t newLane) {
  offset = newOffset;
  lane = newLane;
  // The form of a value depends on the lane.
  forms.clear();
}

PointwiseEmitter::Form PointwiseEmitter::part(int64_t divisor,
                                              int64_t modulus) {
  Form form;
  if (modulus == 1 || divisor >= elements)
    return form;
  if (modulus != 0 && modulus >= (elements + divisor - 1) / divisor)
    modulus = 0;
  form.terms.push_back({1, divisor, modulus, {}});
  return form;
}

PointwiseEmitter::Form PointwiseEmitter::formOf(Value index) {
  auto found = forms.find(index);
  if (found != forms.end())
    return found->second;
  Form form;
  APInt value;
  if (matchPattern(index, m_ConstantInt(&value)))
    form.constant = value.getSExtValue();
  else
    form.terms.push_back({1, 1, 0, canonicalIndex(index)});
  return form;
}

// Terms with equal parts add up. x * (m * c) + y * c with y = n mod m and x = n
// div m, for the same n, is n * c.
bool PointwiseEmitter::join(Term &a, const Term &b) {
  if (a.other != b.other)
    return false;
  if (a.other || (a.divisor == b.divisor && a.modulus == b.modulus)) {
    a.coefficient += b.coefficient;
    return true;
  }
  const bool isLow = a.divisor < b.divisor;
  const Term low = isLow ? a : b, high = isLow ? b : a;
  if (low.modulus == 0 || high.divisor != low.divisor * low.modulus ||
      high.coefficient != low.coefficient * low.modulus)
    return false;
  a = low;
  a.modulus = low.modulus * high.modulus;
  return true;
}

PointwiseEmitter::Form PointwiseEmitter::add(Form a, const Form &b) {
  a.constant += b.constant;
  for (Term term : b.terms) {
    // A combined term may combine with others.
    for (size_t i = 0; i < a.terms.size(); ++i)
      if (join(term, a.terms[i])) {
        a.terms.erase(a.terms.begin() + static_cast<ptrdiff_t>(i));
        i = static_cast<size_t>(-1);
      }
    if (term.coefficient != 0)
      a.terms.push_back(term);
  }
  return a;
}

PointwiseEmitter::Form PointwiseEmitter::scale(Form a, int64_t factor) {
  if (factor == 0)
    return {};
  for (Term &term : a.terms)
    term.coefficient *= factor;
  a.constant *= factor;
  return a;
}

std::optional<PointwiseEmitter::Form>
PointwiseEmitter::divide(const Form &form, int64_t by, bool remainder) {
  if (form.terms.empty()) {
    Form result;
    result.constant = remainder ? form.constant % by : form.constant / by;
    return result;
  }
  if (form.terms.size() != 1 || form.constant != 0)
    return std::nullopt;
  const Term &term = form.terms.front();
  if (term.other || term.coefficient != 1 ||
      (term.modulus != 0 && term.modulus % by != 0))
    return std::nullopt;
  if (remainder)
    return part(term.divisor, by);
  return part(term.divisor * by, term.modulus == 0 ? 0 : term.modulus / by);
}

PointwiseEmitter::Form PointwiseEmitter::evaluate(AffineExpr expr,
                                                  ArrayRef<Value> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return formOf(dims[dim.getPosition()]);
  Form form;
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    form.constant = number.getValue();
    return form;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Form lhs = evaluate(binary.getLHS(), dims);
  Form rhs = evaluate(binary.getRHS(), dims);
  if (expr.getKind() == AffineExprKind::Add)
    return add(std::move(lhs), rhs);
  if (expr.getKind() == AffineExprKind::Mul && rhs.terms.empty())
    return scale(std::move(lhs), rhs.constant);
  if (expr.getKind() == AffineExprKind::Mul && lhs.terms.empty())
    return scale(std::move(rhs), lhs.constant);
  const bool isMod = expr.getKind() == AffineExprKind::Mod;
  if (rhs.terms.empty() && expr.getKind() != AffineExprKind::Mul)
    if (auto simple = divide(lhs, rhs.constant, isMod))
      return *simple;
  MLIRContext *context = builder.getContext();
  AffineExpr d0 = getAffineDimExpr(0, context),
             d1 = getAffineDimExpr(1, context);
  AffineExpr plain = expr.getKind() == AffineExprKind::Mul ? d0 * d1
                     : isMod                               ? d0 % d1
                                                           : d0.floorDiv(d1);
  if (rhs.terms.empty()) {
    AffineExpr by = getAffineConstantExpr(rhs.constant, context);
    plain = isMod ? d0 % by : d0.floorDiv(by);
  }
  Value computed = KernelEmitter::apply(
      plain,
      {materialize(lhs), rhs.terms.empty() ? Value() : materialize(rhs)});
  return formOf(computed);
}

Value PointwiseEmitter::apply(AffineExpr expr, ArrayRef<Value> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (isa<AffineConstantExpr>(expr))
    return KernelEmitter::apply(expr, dims);
  Form form = evaluate(expr, dims);
  Value value = materialize(form);
  if (!form.terms.empty())
    forms.try_emplace(value, form);
  return value;
}

Value PointwiseEmitter::constant(int64_t value) {
  return KernelEmitter::apply(
      getAffineConstantExpr(value, builder.getContext()), {});
}

Value PointwiseEmitter::sum(Value base, Value value, int64_t coefficient) {
  MLIRContext *context = builder.getContext();
  AffineExpr d0 = getAffineDimExpr(0, context),
             d1 = getAffineDimExpr(1, context);
  if (coefficient != 1)
    value = KernelEmitter::apply(d0 * coefficient, {value});
  return base ? KernelEmitter::apply(d0 + d1, {base, value}) : value;
}

Value PointwiseEmitter::partAt(const Term &term, int64_t ahead) {
  AffineExpr d0 = getAffineDimExpr(0, builder.getContext());
  Value value = first;
  if (ahead != 0)
    value = KernelEmitter::apply(d0 + ahead, {value});
  if (term.divisor != 1)
    value = KernelEmitter::apply(d0.floorDiv(term.divisor), {value});
  if (term.modulus != 0)
    value = KernelEmitter::apply(d0 % term.modulus, {value});
  return value;
}

PointwiseEmitter::Place PointwiseEmitter::placeOf(const Form &form) {
  Place place;
  place.constant = form.constant;
  for (const Term &term : form.terms) {
    const int64_t factor = term.coefficient;
    int64_t alignment = factor;
    Value value = term.other;
    if (!value) {
      const bool isMoving = term.divisor == 1 && term.modulus % width == 0;
      const bool isUniform = term.divisor % width == 0;
      if (isMoving && term.modulus == 0) {
        value = first;
        place.constant += factor * offset;
      } else {
        value = partAt(term, isMoving || isUniform ? offset : offset + lane);
      }
      if (isMoving) {
        alignment *= width;
        place.stride += width > 1 ? factor : 0;
      }
    }
    place.base = sum(place.base, value, factor);
    place.alignment = std::gcd(place.alignment, alignment);
  }
  return place;
}

Value PointwiseEmitter::materialize(const Form &form) {
  Place place = placeOf(form);
  const int64_t ahead = place.constant + place.stride * lane;
  if (!place.base)
    return constant(ahead);
  if (ahead == 0)
    return place.base;
  return KernelEmitter::apply(getAffineDimExpr(0, builder.getContext()) + ahead,
                              {place.base});
}

// Models emit arith ops for some indices, again for every lane.
Value PointwiseEmitter::canonicalIndex(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  if (depth != 0 || !op || op->getBlock() != builder.getInsertionBlock() ||
      op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      !isa<arith::ArithDialect>(op->getDialect()))
    return value;
  std::vector<const void *> key = {op->getName().getAsOpaquePointer(),
                                   op->getAttrDictionary().getAsOpaquePointer(),
                                   value.getType().getAsOpaquePointer()};
  for (Value operand : op->getOperands())
    key.push_back(canonicalIndex(operand).getAsOpaquePointer());
  Value same = sameAs.try_emplace(std::move(key), value).first->second;
  known[value] = same;
  return same;
}

PointwiseEmitter::Form PointwiseEmitter::linearForm(RankedTensorType type,
                                                    ArrayRef<Value> indices) {
  Form form;
  for (auto [index, extent] : llvm::zip_equal(indices, type.getShape()))
    form = add(scale(std::move(form), extent),
               extent == 1 ? Form() : formOf(index));
  return form;
}

Value PointwiseEmitter::loadLane(Type type, Value pointer, const Place &place) {
  const int64_t ahead = place.constant + place.stride * lane;
  Value base = place.base ? place.base : constant(0);
  Type scalar = codegen::getScalarType(type);
  const int64_t bytes = std::max(scalar.getIntOrFloatBitWidth() / 8, 1u);
  int64_t count = 1;
  if (std::abs(place.stride) == 1) {
    // The position of lane 0 or, if addresses descend, the one after it.
    const int64_t from = place.constant + (place.stride < 0 ? 1 : 0);
    const auto alignment =
        static_cast<uint64_t>(std::gcd(std::gcd(place.alignment, from), width));
    count = std::min(int64_t(alignment & -alignment),
                     std::max<int64_t>(kAccessBytes / bytes, 1));
  }
  if (count == 1)
    return loadAt(type, pointer, base, 1, ahead);
  // Rounds down to the vector that contains the lane.
  const int64_t inside = ((ahead % count) + count) % count;
  const int64_t begin = ahead - inside;
  VectorKey key = {pointer.getAsOpaquePointer(), base.getAsOpaquePointer(),
                   begin, count};
  auto found = vectors.find(key);
  if (found == vectors.end()) {
    if (depth != 0)
      return loadAt(type, pointer, base, 1, ahead);
    found =
        vectors.emplace(key, loadAt(type, pointer, base, count, begin)).first;
  }
  return vector::ExtractOp::create(builder, location, found->second, inside);
}

Value PointwiseEmitter::load(Value tensor, Value buffer,
                             ArrayRef<Value> indices) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return loadLane(type.getElementType(), buffer,
                  placeOf(linearForm(type, indices)));
}

Value PointwiseEmitter::element(Value tensor, ArrayRef<Value> indices) {
  auto draw = tensor.getDefiningOp<repro::RandomBitsOp>();
  if (!draw || depth != 0)
    return KernelEmitter::element(tensor, indices);
  Place place = placeOf(linearForm(draw.getType(), indices));
  constexpr int64_t words = 4;
  if (place.stride != 1 || width % words != 0 || place.alignment % words != 0 ||
      place.constant % words != 0)
    return KernelEmitter::element(tensor, indices);
  const int64_t begin = place.constant + lane / words * words;
  auto key = std::tuple(tensor.getAsOpaquePointer(),
                        place.base.getAsOpaquePointer(), begin);
  auto found = drawn.find(key);
  if (found == drawn.end()) {
    MLIRContext *context = builder.getContext();
    Value block = KernelEmitter::apply(
        getAffineDimExpr(0, context).floorDiv(words), {place.base});
    block = KernelEmitter::apply(getAffineDimExpr(0, context) + begin / words,
                                 {block});
    Value number = builder.createOrFold<arith::IndexCastOp>(
        location, builder.getI64Type(), block);
    found =
        drawn.emplace(key, emit::emitRandomBlocks(draw, *this, number)).first;
  }
  return found->second.empty() ? Value() : found->second[lane % words];
}

void PointwiseEmitter::inNestedRegion(function_ref<void()> emit) {
  ++depth;
  PointerEmitter::inNestedRegion(emit);
  --depth;
}

void PointwiseEmitter::fault(Operation *op, Value condition, Value position) {
  // Among lanes with the same condition the first has the smallest position.
  if (depth == 0) {
    Place place = placeOf(formOf(position));
    auto key = std::pair(static_cast<void *>(op),
                         canonicalIndex(condition).getAsOpaquePointer());
    auto [found, isNew] = faulted.try_emplace(key, place);
    if (!isNew && found->second.base == place.base &&
        found->second.constant == place.constant && place.stride >= 0)
      return;
    found->second = place;
  }
  PointerEmitter::fault(op, condition, position);
}

Value PointwiseEmitter::result(Value tensor) {
  ArrayRef<int64_t> shape = cast<ShapedType>(tensor.getType()).getShape();
  SmallVector<Value> indices(shape.size());
  int64_t inner = 1;
  for (size_t dim = shape.size(); dim-- > 0; inner *= shape[dim]) {
    Form form = part(inner, dim == 0 ? 0 : shape[dim]);
    indices[dim] = materialize(form);
    if (!form.terms.empty())
      forms[indices[dim]] = form;
  }
  Value value = element(tensor, indices);
  return value ? canonical(value) : value;
}

void PointwiseEmitter::storeLanes(ArrayRef<Value> lanes, Value pointer,
                                  int64_t at) {
  Type scalar = lanes.front().getType();
  const int64_t bytes = std::max(scalar.getIntOrFloatBitWidth() / 8, 1u);
  const int64_t count =
      std::min(width, std::max<int64_t>(kAccessBytes / bytes, 1));
  for (int64_t begin = 0; begin < width; begin += count) {
    auto some = lanes.slice(begin, count);
    Value value = some.front();
    if (count > 1)
      value = vector::FromElementsOp::create(
          builder, location, VectorType::get({count}, scalar), some);
    storeAt(value, pointer, first, at + begin);
  }
}

} // namespace gensyn::gpu
