// scan, column by column (scan_r1).

#include "Columns.h"
#include "Models.h"
#include "gensyn/Codegen/Emit/ReduceKinds.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {
namespace {

struct ScanModel : ColumnModelInterface::ExternalModel<ScanModel, ScanOp> {
  bool hasAdjacentColumns(Operation *op) const {
    auto scan = cast<ScanOp>(op);
    return static_cast<int64_t>(scan.getDim()) + 1 < scan.getType().getRank();
  }

  LogicalResult emitColumn(Operation *op, ElementEmitter &emitter,
                           ArrayRef<Value> column, ValueRange results) const {
    auto scan = cast<ScanOp>(op);
    using Values = ColumnCode::Values;
    auto type = cast<RankedTensorType>(scan.getType());
    const auto dim = static_cast<int64_t>(scan.getDim());
    const int64_t extent = type.getDimSize(dim);
    if (extent == 0)
      return success();
    if (scan.needsOrder() && !scan.getOrder())
      return op->emitOpError("has no order");
    int64_t block = extent;
    if (scan.getOrder() && !scan.getOrder()->getOrder().isSequential())
      block = std::min(extent, scan.getOrder()->getOrder().blockSize());

    ColumnCode code(emitter);
    Scalar scalar(emitter, type.getElementType());
    const ReduceKind kind = scan.getKind();
    bool failed = false;
    auto extend = [&](Value prefix, Value i) -> Value {
      Value x = emitter.element(scan.getOperand(),
                                codegen::insertIndex(column, dim, i));
      failed = failed || !x;
      return x ? emitCombine(scalar, kind, prefix, x) : prefix;
    };
    auto write = [&](Value value, Value i) {
      emitter.writeBuffer(value, results[0],
                          codegen::insertIndex(column, dim, i));
    };
    Value start = emitIdentity(scalar, kind, type.getElementType());
    Values first = code.loop(code.constant(0), code.constant(block), 1, {start},
                             [&](Value i, ValueRange prefix) -> Values {
                               Value next = extend(prefix[0], i);
                               write(next, i);
                               return {next};
                             });
    if (block == extent)
      return success(!failed);
    code.loop(code.constant(block), code.constant(extent), block, first,
              [&](Value begin, ValueRange carry) -> Values {
                Value end = code.b.createOrFold<arith::MinUIOp>(
                    code.loc, code.add(begin, code.constant(block)),
                    code.constant(extent));
                Values last =
                    code.loop(begin, end, 1, {start, carry[0]},
                              [&](Value i, ValueRange inside) -> Values {
                                Value prefix = extend(inside[0], i);
                                Value whole =
                                    emitCombine(scalar, kind, carry[0], prefix);
                                write(whole, i);
                                return {prefix, whole};
                              });
                return {last[1]};
              });
    return success(!failed);
  }
};

} // namespace

void attachScanModels(MLIRContext *context) {
  ScanOp::attachInterface<ScanModel>(*context);
}

} // namespace gensyn::emit
