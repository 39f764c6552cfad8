// See LaunchCode.h.

#include "LaunchCode.h"

#include "KernelBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace gensyn::gpu {

Value LaunchCode::threadId() {
  return mlir::gpu::ThreadIdOp::create(builder, location,
                                       mlir::gpu::Dimension::x);
}

Value LaunchCode::blockId() {
  return mlir::gpu::BlockIdOp::create(builder, location,
                                      mlir::gpu::Dimension::x);
}

void LaunchCode::when(Value condition, function_ref<void()> body) {
  emitWhen(builder, location, condition, body);
}

} // namespace gensyn::gpu
