// Reduction of contiguous elements in the op's order, with the lanes of the
// order in vectors.

#ifndef GENSYN_LIB_CODEGEN_CPU_ROWREDUCEORDER_H
#define GENSYN_LIB_CODEGEN_CPU_ROWREDUCEORDER_H

#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <functional>

namespace gensyn::cpu {

/// True if OrderedRow supports the order: lanes, alone or in blocks.
bool isRowOrder(const Order &order);

/// Returns the number of f32 of scratch that the order needs for blocks'
/// results.
int64_t rowScratch(const Order &order, int64_t points);

class OrderedRow {
public:
  /// `element(position, lanes, active)` returns a vector of the points from
  /// `position` on, of which `active` are valid. `scratch` is a memref of f32
  /// with rowScratch elements; null if it needs none.
  using Element = std::function<mlir::Value(mlir::Value position, int64_t lanes,
                                            int64_t active)>;
  OrderedRow(repro::ElementEmitter &scalars, repro::ReduceKind kind,
             int64_t vectorLanes, mlir::Value scratch)
      : scalars(scalars), builder(scalars.builder), location(scalars.location),
        index(builder, location), kind(kind), vectorLanes(vectorLanes),
        scratch(scratch) {}

  /// Reduces the `count` points from `begin` on to a scalar; null if `element`
  /// failed.
  mlir::Value reduce(const Order &order, mlir::Value begin, int64_t count,
                     const Element &element, int64_t scratchUsed = 0);

private:
  mlir::Value reduceLanes(int64_t orderLanes, mlir::Value begin, int64_t count,
                          const Element &element);
  mlir::Value reduceSequence(mlir::Value begin, int64_t count);
  mlir::Value combine(mlir::Value x, mlir::Value y);
  mlir::Value identity(int64_t lanes);

  repro::ElementEmitter &scalars;
  mlir::OpBuilder &builder;
  mlir::Location location;
  codegen::IndexBuilder index;
  repro::ReduceKind kind;
  int64_t vectorLanes;
  mlir::Value scratch;
};

} // namespace gensyn::cpu

#endif
