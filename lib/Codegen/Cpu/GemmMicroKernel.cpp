// Emits the micro-kernel: mr x nv vectors of C, kept in registers along the
// points; see Gemm.h.

#include "Gemm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {
/// Emits the body of one micro-kernel. Arguments: A and B at the first point, C
/// at the first row, partial sums, the table of columns, the number of points,
/// flags.
class MicroKernel {
public:
  MicroKernel(CpuBuilder &code, const GemmView &view, const GemmSizes &sizes,
              int64_t rows, int64_t vectors, ValueRange arguments)
      : code(code), sizes(sizes), rows(rows), vectors(vectors), a(arguments[0]),
        b(arguments[1]), c(arguments[2]), partial(arguments[3]),
        table(arguments[4]), points(arguments[5]), flags(arguments[6]) {
    rowStride = sizes.packA ? 1 : *singleStride(view.rows, GemmTensor::A);
    pointStrideA =
        sizes.packA ? sizes.mr : *singleStride(view.points, GemmTensor::A);
    pointStrideB = sizes.packB ? sizes.columns()
                               : *singleStride(view.points, GemmTensor::B);
    rowStrideC = *singleStride(view.rows, GemmTensor::C);
    // In place, lanes past the end of B must not be read. A single run without
    // a partial vector has none.
    masksB = !sizes.packB && view.runLength() % sizes.lanes != 0;
    for (int64_t v = 0; v < vectors; ++v) {
      if (!sizes.packB)
        bases.push_back(code.at(b, entry(v, 2)));
      else
        bases.push_back(code.at(b, v * sizes.lanes));
      if (masksB)
        masks.push_back(code.firstLanes(entry(v, 0)));
    }
  }

  void emit() {
    Values sums = start();
    int64_t unroll = sizes.unroll;
    Value whole =
        code.sub(points, code.b.createOrFold<arith::RemUIOp>(
                             code.loc, points, code.constant(unroll)));
    sums = code.loop(code.constant(0), whole, unroll, sums,
                     [&](Value point, ValueRange carried) {
                       Values next(carried);
                       for (int64_t u = 0; u < unroll; ++u)
                         step(code.add(point, u), next);
                       return next;
                     });
    if (unroll > 1)
      sums = code.loop(whole, points, 1, sums,
                       [&](Value point, ValueRange carried) {
                         Values next(carried);
                         step(point, next);
                         return next;
                       });
    finish(sums);
  }

private:
  using Values = CpuBuilder::Values;

  Value entry(int64_t vector, int64_t number) {
    return code.loadInteger(
        code.at(table, 2 * (vector * kTableEntries + number)));
  }
  Value hasFlag(int64_t bit) {
    Value masked = code.both(flags, code.constant(bit));
    return code.compare(arith::CmpIPredicate::ne, masked, code.constant(0));
  }
  Value partialAt(int64_t row, int64_t vector) {
    return code.at(partial, row * sizes.columns() + vector * sizes.lanes);
  }

  Values start() {
    SmallVector<Type> types(rows * vectors, code.vector);
    return code.choose(
        hasFlag(GemmFlags::kFromZero), types,
        [&] { return Values(rows * vectors, code.zero()); },
        [&] {
          Values loaded;
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t v = 0; v < vectors; ++v)
              loaded.push_back(code.load(partialAt(r, v)));
          return loaded;
        });
  }

  void step(Value point, Values &sums) {
    Values columns;
    Value along = code.mul(point, pointStrideB);
    for (int64_t v = 0; v < vectors; ++v) {
      Value address = code.at(bases[v], along);
      columns.push_back(masksB ? code.load(address, masks[v])
                               : code.load(address));
    }
    Value across = code.mul(point, pointStrideA);
    for (int64_t r = 0; r < rows; ++r) {
      Value row = code.at(code.at(a, across), r * rowStride);
      Value element = code.splat(code.loadScalar(row));
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = sums[r * vectors + v];
        sum = code.fma(element, columns[v], sum);
      }
    }
  }

  void finish(const Values &sums) {
    code.when(
        hasFlag(GemmFlags::kEndsBlock), [&] { store(sums); },
        [&] {
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t v = 0; v < vectors; ++v)
              code.store(sums[r * vectors + v], partialAt(r, v));
        });
  }

  // The first block needs no addition to +0: it could only change the sign of a
  // zero, which contract_r3 sets at the end.
  void store(const Values &sums) {
    Value adds = hasFlag(GemmFlags::kAddsToC);
    Value isFinal = hasFlag(GemmFlags::kFinal);
    for (int64_t v = 0; v < vectors; ++v) {
      Value mask = code.firstLanes(entry(v, 0));
      Value column = code.at(c, entry(v, 1));
      auto each = [&](function_ref<Value(Value, Value)> change) {
        for (int64_t r = 0; r < rows; ++r) {
          Value address = code.at(column, r * rowStrideC);
          code.store(change(sums[r * vectors + v], address), address, mask);
        }
      };
      auto added = [&](Value sum, Value address) {
        return code.addf(code.load(address, mask), sum);
      };
      auto closed = [&](Value sum) {
        return code.canonical(code.addf(sum, code.zero()));
      };
      code.when(
          isFinal,
          [&] {
            code.when(
                adds,
                [&] {
                  each([&](Value s, Value p) { return closed(added(s, p)); });
                },
                [&] { each([&](Value s, Value) { return closed(s); }); });
          },
          [&] {
            code.when(
                adds,
                [&] { each([&](Value s, Value p) { return added(s, p); }); },
                [&] { each([&](Value s, Value) { return s; }); });
          });
    }
  }

  CpuBuilder &code;
  const GemmSizes &sizes;
  int64_t rows, vectors;
  Value a, b, c, partial, table, points, flags;
  int64_t rowStride, pointStrideA, pointStrideB, rowStrideC;
  bool masksB;
  Values bases, masks;
};
} // namespace

func::FuncOp GemmEmitter::microKernel(int64_t rows, int64_t vectors) {
  ModuleOp module = function->getParentOfType<ModuleOp>();
  std::string name =
      (function.getSymName() + "_micro_" + Twine(rows) + "x" + Twine(vectors))
          .str();
  if (auto existing = module.lookupSymbol<func::FuncOp>(name))
    return existing;
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPoint(function);
  SmallVector<Type> types(5, code.ptr);
  types.append({code.i64, code.i64});
  auto micro = func::FuncOp::create(code.b, code.loc, name,
                                    code.b.getFunctionType(types, {}));
  micro.setPrivate();
  // A separate function, so that no other values compete for registers.
  micro->setAttr("passthrough",
                 code.b.getArrayAttr(code.b.getStringAttr("noinline")));
  micro->setAttr("llvm.linkage",
                 LLVM::LinkageAttr::get(code.b.getContext(),
                                        LLVM::linkage::Linkage::Internal));
  Block *entry = micro.addEntryBlock();
  code.b.setInsertionPointToStart(entry);
  MicroKernel(code, view, sizes, rows, vectors, entry->getArguments()).emit();
  func::ReturnOp::create(code.b, code.loc);
  return micro;
}

} // namespace gensyn::cpu
