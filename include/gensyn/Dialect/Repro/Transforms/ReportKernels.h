// Reports a program's kernels, their costs, and why they end where they do.

#ifndef GENSYN_DIALECT_REPRO_TRANSFORMS_REPORTKERNELS_H
#define GENSYN_DIALECT_REPRO_TRANSFORMS_REPORTKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::repro {

/// A kernel as the report has it.
struct KernelStats {
  /// A value that leaves the kernel: its readers, and why they are not in it.
  struct Boundary {
    std::string reader, reason;
  };
  std::string function, name, form;
  /// The node of the model that its first result comes from; may be empty.
  std::string node;
  /// Elements of its first result, and what it reads, writes and names.
  int64_t elements = 0, ops = 0, buffers = 0;
  /// Floating-point operations (CostOpInterface), each op counted once.
  int64_t flops = 0;
  /// Bytes of what is read of inputs (of a table that is gathered from, no more
  /// than the result has) and bytes of results.
  int64_t bytesRead = 0, bytesWritten = 0;
  std::vector<Boundary> borders;
};

/// The kernels of a module in program order.
std::vector<KernelStats> getKernelStats(mlir::ModuleOp module);

/// The kernel as a JSON object: function, name, form, node, elements, ops,
/// buffers, flops, bytes_read, bytes_written, borders (reader, reason).
llvm::json::Object toJson(const KernelStats &kernel);

/// Number of kernels, flops, bytes read and written of all, as a JSON object.
llvm::json::Object sumUp(llvm::ArrayRef<KernelStats> kernels);

/// "k3_add rows 6144 elements: ...", without its borders.
std::string describe(const KernelStats &kernel);

} // namespace gensyn::repro

#endif
