// The micro-kernel of products of 8-bit integers, by instructions that sum four
// products or more.
//
// A panel of A has for each step of 4 x lanes points the rows, each with its
// bytes side by side, and zeros after the last point. A panel of B has for four
// points each column's bytes, [points / 4][vectors][lanes][4]; what it has
// after the last point is multiplied by the zeros of A. A register tile of
// vectors keeps its sums in registers, one of tile registers leaves them in
// scratch, from where results are computed row by row.
//
// Where one side has to be unsigned (UnsignedBySigned), 128 is added to each
// number of B when it is packed, and sums start at -128 times the sum of the
// row of A, which is behind the last step of A's panel.

#ifndef GENSYN_LIB_CODEGEN_CPU_BYTECONTRACT_BYTEMICROKERNEL_H
#define GENSYN_LIB_CODEGEN_CPU_BYTECONTRACT_BYTEMICROKERNEL_H

#include "../Contract/GemmResults.h"

namespace gensyn::cpu {

/// Emits the sums of vectors of products.
class ByteArithmetic {
public:
  ByteArithmetic(CpuBuilder &code, ByteProducts products, bool isSigned)
      : code(code), products(products), isSigned(isSigned) {}

  /// True if one side has to be unsigned, where 128 is added to signed numbers.
  bool shiftsB() const { return products == ByteProducts::UnsignedBySigned; }

  /// Returns `sums` plus, in each lane, the four products of the bytes of `a`
  /// and of `b`, to which `shiftsB` applies, modulo 2^32. All are vectors of
  /// i32.
  mlir::Value addProducts(mlir::Value sums, mlir::Value a, mlir::Value b) const;

private:
  CpuBuilder &code;
  ByteProducts products;
  bool isSigned;
};

/// Tile registers in the code that is emitted while it lives; nothing for other
/// instructions.
class ByteRegisters {
public:
  ByteRegisters(CpuBuilder &code, ByteProducts products);
  ~ByteRegisters();
  ByteRegisters(const ByteRegisters &) = delete;
  ByteRegisters &operator=(const ByteRegisters &) = delete;

private:
  CpuBuilder &code;
  const bool hasTiles;
};

/// Emits the body. Arguments: A and B at the first point, C at the first row,
/// partial sums, the table of columns, the number of elements of panels, flags.
/// `epilogue` is null unless it computes results from registers, of `results`.
class ByteMicroKernel {
public:
  /// The register tile; `isLast` as for GemmEmitter::microKernel.
  struct Shape {
    int64_t rows, vectors;
    bool isLast;
  };
  ByteMicroKernel(CpuBuilder &code, const GemmTensors &tensors,
                  const GemmView &view, const GemmSizes &sizes, Shape shape,
                  const GemmLayout &layout, GemmEpilogue *epilogue,
                  const GemmEpilogue::Block &results,
                  mlir::ValueRange arguments)
      : code(code), tensors(tensors), view(view), sizes(sizes), shape(shape),
        layout(layout), epilogue(epilogue), results(results), a(arguments[0]),
        b(arguments[1]), c(arguments[2]), partial(arguments[3]),
        table(arguments[4]), elements(arguments[5]), flags(arguments[6]),
        arithmetic(code, sizes.byteProducts, tensors.a.isSigned()) {}

  void emit();

private:
  using Values = CpuBuilder::Values;

  void emitVectors();
  Values startVectors();
  void emitTiles();
  void multiplyTiles(mlir::Value steps);
  /// Stores the final sums of some rows from `first` on, by vectors.
  void finish(mlir::Value first, int64_t rows,
              llvm::function_ref<mlir::Value(int64_t, int64_t)> sumAt);
  mlir::Value hasFlag(int64_t bit);
  mlir::Value partialAt(mlir::Value row, int64_t vector);
  /// Returns the number of steps of points.
  mlir::Value numSteps();

  CpuBuilder &code;
  const GemmTensors &tensors;
  const GemmView &view;
  const GemmSizes &sizes;
  const Shape shape;
  const GemmLayout &layout;
  GemmEpilogue *epilogue;
  const GemmEpilogue::Block &results;
  mlir::Value a, b, c, partial, table, elements, flags;
  const ByteArithmetic arithmetic;
};

} // namespace gensyn::cpu

#endif
