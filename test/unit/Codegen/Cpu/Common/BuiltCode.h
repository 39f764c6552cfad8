// Runs code that a test emits with a CpuBuilder.

#ifndef GENSYN_TEST_UNIT_CODEGEN_CPU_COMMON_BUILTCODE_H
#define GENSYN_TEST_UNIT_CODEGEN_CPU_COMMON_BUILTCODE_H

#include "Common/StoredTensor.h"
#include "RunProgram.h"

#include <functional>

namespace gensyn::cpu::testing {

/// Emits code that reads a tensor at `input` and writes one at `output`.
using EmitCode = std::function<void(CpuBuilder &code, mlir::Value input,
                                    mlir::Value output)>;

/// Runs the code on `input`, a list, with vectors of `lanes` elements of type
/// `to`, and returns a list of as many of these, which the code must write.
Tensor runBuilt(const Target &target, int64_t lanes, const Tensor &input,
                const std::string &to, const EmitCode &emit);

} // namespace gensyn::cpu::testing

#endif
