// Reports a program's kernels, their costs, and the reasons for their
// boundaries.

#ifndef GENSYN_DIALECT_REPRO_TRANSFORMS_REPORTKERNELS_H
#define GENSYN_DIALECT_REPRO_TRANSFORMS_REPORTKERNELS_H

#include "gensyn/Dialect/Repro/Transforms/ReportOrders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::repro {

/// The figures of a kernel in the report.
struct KernelStats {
  /// A reader of a result, and the reason why it is not in the kernel.
  struct Boundary {
    std::string reader, reason;
  };
  std::string function, name, form;
  /// The node of the model from which its first result comes; may be empty.
  std::string node;
  /// The nodes from which its ops come, each once, in program order.
  std::vector<std::string> nodes;
  /// Its ops that need an order.
  std::vector<OrderedReduction> orders;
  /// Element type and shape of its first result.
  std::string type;
  std::vector<int64_t> shape;
  /// Elements of its first result, number of ops, and number of buffers:
  /// operands, results and fault words.
  int64_t elements = 0, ops = 0, buffers = 0;
  /// Floating-point operations (CostOpInterface), each op counted once.
  int64_t flops = 0;
  /// Bytes of inputs that are read (of a gathered table, no more than the
  /// result has) and bytes of results.
  int64_t bytesRead = 0, bytesWritten = 0;
  std::vector<Boundary> borders;
};

/// The kernels of a module in program order.
std::vector<KernelStats> getKernelStats(mlir::ModuleOp module);

/// The kernel as a JSON object: function, name, form, node, nodes, orders (as
/// in ReportOrders.h), type, shape, elements, ops, buffers, flops, bytes_read,
/// bytes_written, borders (reader, reason).
llvm::json::Object toJson(const KernelStats &kernel);

/// The number of kernels and their total flops, bytes read and bytes written,
/// as a JSON object.
llvm::json::Object sumUp(llvm::ArrayRef<KernelStats> kernels);

/// "k3_add rows 6144 elements: ...", without its boundaries.
std::string describe(const KernelStats &kernel);

} // namespace gensyn::repro

#endif
