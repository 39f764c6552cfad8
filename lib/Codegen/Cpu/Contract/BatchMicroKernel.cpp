// Emits the micro-kernel: a register tile of vectors of results, along the
// points of a visit; see BatchEmitter.h.

#include "BatchEmitter.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {

/// An innermost loop of at most so many points is unrolled, and so is the one
/// around it if both together have no more.
constexpr int64_t kUnrolledPoints = 9;

class BatchMicroKernel {
public:
  BatchMicroKernel(CpuBuilder &code, const BatchLayout &layout,
                   ValueRange arguments)
      : code(code), layout(layout), sizes(layout.sizes), a(arguments[0]),
        b(arguments[1]), partial(arguments[2]), points(arguments[3]),
        isFirst(arguments[4]) {
    elements.push_back({});
    for (unsigned i : layout.parallel)
      if (sizes.factors[i] > 1)
        multiply(i);
    first = layout.points.size();
    for (int64_t unrolled = 1; first > layout.split; --first) {
      if (!layout.isOneVisit && first - 1 == layout.split)
        break;
      unrolled *= extentAt(first - 1);
      if (unrolled > kUnrolledPoints)
        break;
    }
  }

  void emit() {
    SmallVector<Type> types(elements.size(), code.vector);
    Value starts =
        code.compare(arith::CmpIPredicate::ne, isFirst, code.constant(0));
    Values sums = code.choose(
        starts, types, [&] { return Values(elements.size(), code.zero()); },
        [&] {
          Values loaded;
          for (const Element &element : elements)
            loaded.push_back(code.load(address(element)));
          return loaded;
        });
    sums = loops(layout.split, a, b, sums);
    for (auto [element, sum] : llvm::zip_equal(elements, sums))
      code.store(sum, address(element));
  }

private:
  using Values = CpuBuilder::Values;
  /// Offsets of a result of the register tile, in f32.
  struct Element {
    int64_t a = 0, b = 0, result = 0;
  };

  int64_t extentAt(size_t at) const {
    return layout.box.extents[layout.points[at]];
  }
  int64_t strideAt(unsigned operand, size_t at) const {
    return layout.operands[operand].strides[layout.points[at]] * sizes.lanes;
  }
  Value address(const Element &element) {
    return code.at(partial, element.result);
  }
  void multiply(unsigned iterator) {
    SmallVector<Element> all;
    for (const Element &element : elements)
      for (int64_t value = 0; value < sizes.factors[iterator]; ++value) {
        const int64_t by = value * sizes.lanes;
        all.push_back({element.a + by * layout.operands[0].strides[iterator],
                       element.b + by * layout.operands[1].strides[iterator],
                       element.result + by * layout.resultStrides[iterator]});
      }
    elements = all;
  }

  /// Emits the loops over the points of the iterators from `at` on.
  Values loops(size_t at, Value fromA, Value fromB, Values sums) {
    if (at >= first) {
      unrolled(at, 0, 0, fromA, fromB, sums);
      return sums;
    }
    const bool isInnermost = at + 1 == layout.points.size();
    const int64_t by = isInnermost ? sizes.unroll : 1;
    Value count = at == layout.split ? points : code.constant(extentAt(at));
    auto body = [&](Value value, ValueRange carried, int64_t times) {
      Values next(carried);
      Value movedA = code.at(fromA, code.mul(value, strideAt(0, at))),
            movedB = code.at(fromB, code.mul(value, strideAt(1, at)));
      if (!isInnermost)
        return loops(at + 1, movedA, movedB, next);
      for (int64_t u = 0; u < times; ++u)
        step(movedA, movedB, u * strideAt(0, at), u * strideAt(1, at), next);
      return next;
    };
    Value whole = code.sub(count, code.rem(count, by));
    sums = code.loop(code.constant(0), whole, by, sums,
                     [&](Value value, ValueRange carried) {
                       return body(value, carried, by);
                     });
    if (by > 1)
      sums = code.loop(whole, count, 1, sums,
                       [&](Value value, ValueRange carried) {
                         return body(value, carried, 1);
                       });
    return sums;
  }

  void unrolled(size_t at, int64_t offsetA, int64_t offsetB, Value fromA,
                Value fromB, Values &sums) {
    if (at >= layout.points.size())
      return step(fromA, fromB, offsetA, offsetB, sums);
    for (int64_t value = 0; value < extentAt(at); ++value)
      unrolled(at + 1, offsetA + value * strideAt(0, at),
               offsetB + value * strideAt(1, at), fromA, fromB, sums);
  }

  /// Adds the products of one point.
  void step(Value fromA, Value fromB, int64_t offsetA, int64_t offsetB,
            Values &sums) {
    llvm::DenseMap<int64_t, Value> loaded[2];
    auto load = [&](unsigned operand, Value from, int64_t offset) {
      Value &known = loaded[operand][offset];
      if (!known)
        known = code.load(code.at(from, offset));
      return known;
    };
    for (auto [element, sum] : llvm::zip_equal(elements, sums)) {
      Value x = load(0, fromA, offsetA + element.a),
            y = load(1, fromB, offsetB + element.b);
      sum = code.fma(x, y, sum);
    }
  }

  CpuBuilder &code;
  const BatchLayout &layout;
  const BatchSizes &sizes;
  Value a, b, partial, points, isFirst;
  SmallVector<Element> elements;
  size_t first; ///< of the points' iterators that are unrolled
};

} // namespace

func::FuncOp BatchEmitter::microKernel() {
  std::string name = (function.getSymName() + "_lanes" + Twine(number)).str();
  SmallVector<Type> types(3, code.ptr);
  types.append({code.i64, code.i64});
  return code.separateFunction(
      function, name, types, [&](ValueRange arguments) {
        BatchMicroKernel(code, layout, arguments).emit();
      });
}

} // namespace gensyn::cpu
