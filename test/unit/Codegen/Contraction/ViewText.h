// A contraction from its text.

#ifndef GENSYN_TEST_CODEGEN_CONTRACTION_VIEWTEXT_H
#define GENSYN_TEST_CODEGEN_CONTRACTION_VIEWTEXT_H

#include "gensyn/Codegen/Contraction/ContractView.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace gensyn::testing {

/// Calls `use` with a contraction of these types ("lhs, rhs -> result") and
/// this domain, maps, bounds and order.
inline void withContract(const std::string &types, const std::string &form,
                         llvm::function_ref<void(repro::ContractOp)> use) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, repro::ReproDialect>();
  const size_t arrow = types.find(" -> ");
  const std::string result = types.substr(arrow + 4);
  const size_t comma = types.find(", ");
  const std::string text =
      "func.func @f(%a: " + types.substr(0, comma) +
      ", %b: " + types.substr(comma + 2, arrow - comma - 2) + ") -> " + result +
      " { %c = repro.contract %a, %b " + form + " : " + types +
      " return %c : " + result + " }";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << text;
    return;
  }
  module->walk([&](repro::ContractOp op) { use(op); });
}

} // namespace gensyn::testing

#endif
