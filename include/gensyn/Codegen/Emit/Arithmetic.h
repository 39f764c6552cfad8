// The arithmetic policy that emits IR: lib/Numerics' functions as arith, math
// and scf ops on scalars or vectors; see gensyn/Numerics/Arithmetic.h for the
// policy's guarantees.

#ifndef GENSYN_CODEGEN_EMIT_ARITHMETIC_H
#define GENSYN_CODEGEN_EMIT_ARITHMETIC_H

#include "gensyn/Dialect/Repro/Interfaces/ElementEmitter.h"
#include "gensyn/Numerics/Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gensyn::emit {

enum class Kind { F32, F64, I32, I64, Mask, Index };

/// An IR value with its kind, and the builder for values derived from it.
template <Kind kind> struct Typed {
  mlir::OpBuilder *builder = nullptr;
  mlir::Value value;

  Typed with(mlir::Value other) const { return {builder, other}; }
  mlir::Location location() const { return value.getLoc(); }
  /// Creates a constant of this value's type, equal in all lanes.
  mlir::Value constant(const llvm::APInt &bits) const {
    mlir::Type type = value.getType();
    mlir::TypedAttr attribute =
        builder->getIntegerAttr(mlir::getElementTypeOrSelf(type), bits);
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type))
      attribute = mlir::DenseElementsAttr::get(shaped, attribute);
    return mlir::arith::ConstantOp::create(*builder, location(), attribute);
  }
};

template <Kind kind>
inline constexpr bool isFloatKind = kind == Kind::F32 || kind == Kind::F64;

#define GENSYN_EMIT_BINARY(op, FloatOp, IntegerOp)                             \
  template <Kind kind> Typed<kind> operator op(Typed<kind> a, Typed<kind> b) { \
    if constexpr (isFloatKind<kind>)                                           \
      return a.with(a.builder->template createOrFold<mlir::arith::FloatOp>(    \
          a.location(), a.value, b.value));                                    \
    else                                                                       \
      return a.with(a.builder->template createOrFold<mlir::arith::IntegerOp>(  \
          a.location(), a.value, b.value));                                    \
  }
GENSYN_EMIT_BINARY(+, AddFOp, AddIOp)
GENSYN_EMIT_BINARY(-, SubFOp, SubIOp)
GENSYN_EMIT_BINARY(*, MulFOp, MulIOp)
#undef GENSYN_EMIT_BINARY

template <Kind kind>
  requires isFloatKind<kind>
Typed<kind> operator/(Typed<kind> a, Typed<kind> b) {
  return a.with(a.builder->template createOrFold<mlir::arith::DivFOp>(
      a.location(), a.value, b.value));
}
template <Kind kind>
  requires isFloatKind<kind>
Typed<kind> operator-(Typed<kind> a) {
  return a.with(a.builder->template createOrFold<mlir::arith::NegFOp>(
      a.location(), a.value));
}

#define GENSYN_EMIT_BITS(op, Op)                                               \
  template <Kind kind>                                                         \
    requires(!isFloatKind<kind>)                                               \
  Typed<kind> operator op(Typed<kind> a, Typed<kind> b) {                      \
    return a.with(a.builder->template createOrFold<mlir::arith::Op>(           \
        a.location(), a.value, b.value));                                      \
  }
GENSYN_EMIT_BITS(&, AndIOp)
GENSYN_EMIT_BITS(|, OrIOp)
GENSYN_EMIT_BITS(^, XOrIOp)
#undef GENSYN_EMIT_BITS

inline Typed<Kind::Mask> operator!(Typed<Kind::Mask> a) {
  return a.with(a.builder->createOrFold<mlir::arith::XOrIOp>(
      a.location(), a.value, a.constant(llvm::APInt(1, 1))));
}

template <Kind kind> unsigned widthOf(Typed<kind> a) {
  return mlir::getElementTypeOrSelf(a.value.getType()).getIntOrFloatBitWidth();
}
template <Kind kind>
  requires(kind == Kind::I32 || kind == Kind::I64)
Typed<kind> operator<<(Typed<kind> a, int amount) {
  return a.with(a.builder->template createOrFold<mlir::arith::ShLIOp>(
      a.location(), a.value,
      a.constant(llvm::APInt(widthOf(a), static_cast<uint64_t>(amount)))));
}
template <Kind kind>
  requires(kind == Kind::I32 || kind == Kind::I64)
Typed<kind> operator>>(Typed<kind> a, int amount) {
  return a.with(a.builder->template createOrFold<mlir::arith::ShRUIOp>(
      a.location(), a.value,
      a.constant(llvm::APInt(widthOf(a), static_cast<uint64_t>(amount)))));
}

// IEEE comparisons: unordered only for !=. Integers have equality only.
#define GENSYN_EMIT_COMPARE(op, predicate)                                     \
  template <Kind kind>                                                         \
    requires isFloatKind<kind>                                                 \
  Typed<Kind::Mask> operator op(Typed<kind> a, Typed<kind> b) {                \
    return {a.builder,                                                         \
            a.builder->template createOrFold<mlir::arith::CmpFOp>(             \
                a.location(), mlir::arith::CmpFPredicate::predicate, a.value,  \
                b.value)};                                                     \
  }
GENSYN_EMIT_COMPARE(<, OLT)
GENSYN_EMIT_COMPARE(<=, OLE)
GENSYN_EMIT_COMPARE(>, OGT)
GENSYN_EMIT_COMPARE(>=, OGE)
GENSYN_EMIT_COMPARE(==, OEQ)
GENSYN_EMIT_COMPARE(!=, UNE)
#undef GENSYN_EMIT_COMPARE
#define GENSYN_EMIT_EQUAL(op, predicate)                                       \
  template <Kind kind>                                                         \
    requires(kind == Kind::I32 || kind == Kind::I64)                           \
  Typed<Kind::Mask> operator op(Typed<kind> a, Typed<kind> b) {                \
    return {a.builder,                                                         \
            a.builder->template createOrFold<mlir::arith::CmpIOp>(             \
                a.location(), mlir::arith::CmpIPredicate::predicate, a.value,  \
                b.value)};                                                     \
  }
GENSYN_EMIT_EQUAL(==, eq)
GENSYN_EMIT_EQUAL(!=, ne)
#undef GENSYN_EMIT_EQUAL

/// Emits at the insertion point of a builder. Copies of the policy are
/// equivalent; the builder must outlive them.
class Emit {
public:
  static constexpr bool kSplitChains = false;

  using F32 = Typed<Kind::F32>;
  using F64 = Typed<Kind::F64>;
  using I32 = Typed<Kind::I32>;
  using I64 = Typed<Kind::I64>;
  using Mask = Typed<Kind::Mask>;
  using Index = Typed<Kind::Index>;

  /// Values have `lanes` elements each: 0 for scalars, else 1-D vectors.
  Emit(mlir::OpBuilder &builder, mlir::Location location, int64_t lanes = 0)
      : builder(&builder), location(location), laneCount(lanes) {}

  /// Values have the shape of `like`, an element of `emitter`. Loops are nested
  /// regions of the emitter.
  Emit(repro::ElementEmitter &emitter, mlir::Type like)
      : Emit(emitter.builder, emitter.location) {
    scope = &emitter;
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(like))
      laneCount = vector.getNumElements();
  }

  F32 f32(float c) const;
  F64 f64(double c) const;
  I32 i32(uint32_t c) const;
  I64 i64(uint64_t c) const;
  Index index(int64_t c) const;

  F64 widen(F32 x) const;
  F32 narrow(F64 x) const;
  F32 fma(F32 a, F32 b, F32 c) const {
    return {builder, fmaOf(a.value, b.value, c.value)};
  }
  F64 fma(F64 a, F64 b, F64 c) const {
    return {builder, fmaOf(a.value, b.value, c.value)};
  }
  F32 sqrt(F32 x) const { return {builder, sqrtOf(x.value)}; }
  F64 sqrt(F64 x) const { return {builder, sqrtOf(x.value)}; }
  F32 abs(F32 x) const { return real(bits(x) & i32(0x7FFFFFFF)); }
  F64 abs(F64 x) const { return real(bits(x) & i64(0x7FFFFFFFFFFFFFFF)); }

  I32 bits(F32 x) const {
    return {builder, bitcast(x.value, builder->getI32Type())};
  }
  I64 bits(F64 x) const {
    return {builder, bitcast(x.value, builder->getI64Type())};
  }
  F32 real(I32 x) const {
    return {builder, bitcast(x.value, builder->getF32Type())};
  }
  F64 real(I64 x) const {
    return {builder, bitcast(x.value, builder->getF64Type())};
  }
  I32 sar(I32 x, int n) const { return {builder, sarOf(x.value, n)}; }
  I64 sar(I64 x, int n) const { return {builder, sarOf(x.value, n)}; }
  I64 shiftLeft(I64 x, I64 n) const;
  I64 shiftRight(I64 x, I64 n) const;
  I64 extend(I32 x) const;
  I32 truncate(I64 x) const;

  Mask isNan(F32 x) const { return {builder, unordered(x.value)}; }
  Mask isNan(F64 x) const { return {builder, unordered(x.value)}; }
  template <class T> T select(Mask m, T a, T b) const {
    return {builder, selectOf(m.value, a.value, b.value)};
  }

  // For scalars only.
  Index position(I64 x) const;
  I64 number(Index i) const;
  Index minimum(Index a, Index b) const;
  Index quotient(Index x, int64_t c) const;

  /// V is a Typed, an mlir::Value, or a SmallVector of those.
  template <class V, class Body>
  V loop(Index begin, Index end, Index step, V carried, Body &&body) const {
    llvm::SmallVector<mlir::Value> initial;
    pack(carried, initial);
    auto loop = mlir::scf::ForOp::create(*builder, location, begin.value,
                                         end.value, step.value, initial);
    inBody(loop, [&] {
      V inner = body(Index{builder, loop.getInductionVar()},
                     unpack(carried, loop.getRegionIterArgs()));
      llvm::SmallVector<mlir::Value> next;
      pack(inner, next);
      mlir::scf::YieldOp::create(*builder, location, next);
    });
    return unpack(carried, loop.getResults());
  }
  template <class Body>
  void forEach(Index begin, Index end, Index step, Body &&body) const {
    auto loop = mlir::scf::ForOp::create(*builder, location, begin.value,
                                         end.value, step.value);
    inBody(loop, [&] { body(Index{builder, loop.getInductionVar()}); });
  }

  /// Memory in the function's frame, allocated once at its entry.
  template <class V> struct Lanes {
    mlir::Value memory;
    V like;
  };
  template <class V> Lanes<V> lanes(int64_t count, V identity) const {
    llvm::SmallVector<mlir::Value> one;
    pack(identity, one);
    Lanes<V> store = {allocate(count, one[0].getType()), identity};
    forEach(index(0), index(count), index(1),
            [&](Index l) { setLane(store, l, identity); });
    return store;
  }
  template <class V> V lane(const Lanes<V> &store, Index l) const {
    llvm::SmallVector<mlir::Value> one = {mlir::memref::LoadOp::create(
        *builder, location, store.memory, l.value)};
    return unpack(store.like, one);
  }
  template <class V> void setLane(Lanes<V> &store, Index l, V value) const {
    llvm::SmallVector<mlir::Value> one;
    pack(value, one);
    mlir::memref::StoreOp::create(*builder, location, one[0], store.memory,
                                  l.value);
  }

  /// Returns `element`, or the vector type of it that values have.
  mlir::Type shaped(mlir::Type element) const;
  /// Creates a constant of that type: the bits of an integer or float, or a
  /// number of type index.
  mlir::Value constant(mlir::Type element, uint64_t bits) const;

private:
  mlir::Value fmaOf(mlir::Value a, mlir::Value b, mlir::Value c) const;
  mlir::Value sqrtOf(mlir::Value x) const;
  mlir::Value bitcast(mlir::Value x, mlir::Type element) const;
  mlir::Value sarOf(mlir::Value x, int amount) const;
  mlir::Value unordered(mlir::Value x) const;
  mlir::Value selectOf(mlir::Value m, mlir::Value a, mlir::Value b) const;
  mlir::Value allocate(int64_t count, mlir::Type type) const;
  /// Calls `emit` in the loop's body, before the terminator if it has one.
  void inBody(mlir::scf::ForOp loop, llvm::function_ref<void()> emit) const;

  static void pack(mlir::Value v, llvm::SmallVectorImpl<mlir::Value> &out) {
    out.push_back(v);
  }
  template <Kind kind>
  static void pack(Typed<kind> v, llvm::SmallVectorImpl<mlir::Value> &out) {
    out.push_back(v.value);
  }
  template <class T, unsigned n>
  static void pack(const llvm::SmallVector<T, n> &v,
                   llvm::SmallVectorImpl<mlir::Value> &out) {
    for (const T &one : v)
      pack(one, out);
  }
  static mlir::Value unpack(mlir::Value, mlir::ValueRange values) {
    return values[0];
  }
  template <Kind kind>
  static Typed<kind> unpack(Typed<kind> like, mlir::ValueRange values) {
    return like.with(values[0]);
  }
  template <class T, unsigned n>
  static llvm::SmallVector<T, n> unpack(const llvm::SmallVector<T, n> &like,
                                        mlir::ValueRange values) {
    llvm::SmallVector<T, n> result;
    for (auto [one, value] : llvm::zip_equal(like, values))
      result.push_back(unpack(one, mlir::ValueRange(value)));
    return result;
  }

  mlir::OpBuilder *builder;
  mlir::Location location;
  int64_t laneCount = 0;
  repro::ElementEmitter *scope = nullptr;
};

static_assert(Arithmetic<Emit> && DigitArithmetic<Emit>);

} // namespace gensyn::emit

#endif
