// Activation functions by name, as recurrent operators list them.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_ACTIVATIONS_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_ACTIVATIONS_H

#include "../Support/NodeBuilder.h"

namespace gensyn::onnx_to_repro {

/// The parameters of a function, initially the defaults.
struct ActivationNumbers {
  std::optional<double> alpha, beta;
};

/// The parameters of function `name`, in lower case; nothing if there is none.
std::optional<ActivationNumbers> findActivation(llvm::StringRef name);

/// Applies the supported function `name` to `x`.
mlir::Value activationByName(NodeBuilder &b, llvm::StringRef name, double alpha,
                             double beta, mlir::Value x);

} // namespace gensyn::onnx_to_repro

#endif
