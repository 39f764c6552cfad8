// Runs small functions on the reference, and compares their gradients with
// central differences.

#ifndef GENSYN_TEST_UNIT_DIALECT_HARNESS_H
#define GENSYN_TEST_UNIT_DIALECT_HARNESS_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace gensyn::train::test {

/// The context of all tests, with the dialects loaded.
mlir::MLIRContext &context();

/// Parses `text`, lowers losses and updates, differentiates and gives orders;
/// null, with a test failure, where any of that fails.
mlir::OwningOpRef<mlir::ModuleOp> compile(const std::string &text);

/// Runs a function of a compiled module.
std::vector<Tensor> run(mlir::ModuleOp module, const std::string &function,
                        const std::vector<Tensor> &arguments);

/// Values of an argument: `count` distinct ones, evenly spaced in [low, high],
/// shuffled, and shifted a little by `salt`, so that two arguments share none.
std::vector<double> spread(int64_t count, double low, double high, int salt);

/// The range of the values of one argument.
struct Range {
  double low = -2.0, high = 2.0;
};

/// Checks @main of `text`, which is f64 and has one result: the gradient of a
/// weighted sum of it, with respect to each float argument, against central
/// differences. Integer arguments take 0, 1, 2, ... modulo `high`.
void expectGradient(const std::string &text, std::vector<Range> ranges = {},
                    double tolerance = 1e-6);

} // namespace gensyn::train::test

#endif
