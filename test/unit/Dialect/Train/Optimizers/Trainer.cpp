// See Trainer.h.

#include "Trainer.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace gensyn::train::test {

static Tensor filled(const OptimizerState &state) {
  std::vector<int64_t> shape = state.type.getShape().vec();
  size_t size = state.type.getNumElements();
  if (state.type.getElementType().isF32())
    return Tensor::of(shape, std::vector<float>(size, float(state.fill)));
  if (state.type.getElementType().isF64())
    return Tensor::of(shape, std::vector<double>(size, state.fill));
  return Tensor::scalar(state.fill != 0);
}

Trainer::Trainer(double rate, const std::string &text, RankedTensorType type)
    : rate(Tensor::scalar(rate)) {
  Attribute attribute = parseAttribute(text, &context());
  if (!attribute) {
    ADD_FAILURE() << "does not parse: " << text;
    return;
  }
  auto rule = cast<OptimizerRuleInterface>(attribute);
  SmallVector<OptimizerState> own = rule.getStates(type),
                              shared = rule.getSharedStates();
  OpBuilder builder(&context());
  Location location = builder.getUnknownLoc();
  SmallVector<Type> types = {type, type,
                             RankedTensorType::get({}, builder.getF64Type())};
  for (const auto &list : {own, shared})
    for (const OptimizerState &state : list) {
      types.push_back(state.type);
      states.push_back(filled(state));
    }
  OwningOpRef<ModuleOp> program = ModuleOp::create(location);
  builder.setInsertionPointToEnd(program->getBody());
  auto main = func::FuncOp::create(builder, location, "main",
                                   builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(main.addEntryBlock());
  ValueRange values = main.getArguments();
  ValueRange before = values.slice(3, own.size());
  ValueRange common = values.drop_front(3 + own.size());
  auto update =
      UpdateOp::create(builder, location, type, before.getTypes(), values[0],
                       values[1], values[2], before, common, rule);
  SmallVector<Value> results(update->getResults());
  if (!shared.empty())
    llvm::append_range(
        results,
        AdvanceOp::create(builder, location, common.getTypes(), common, rule)
            ->getResults());
  func::ReturnOp::create(builder, location, results);
  main.setType(builder.getFunctionType(types, TypeRange(ValueRange(results))));
  std::string printed;
  llvm::raw_string_ostream(printed) << *program;
  module = compile(printed);
}

Tensor Trainer::step(const Tensor &parameter, const Tensor &gradient) {
  std::vector<Tensor> arguments = {parameter, gradient, rate};
  arguments.insert(arguments.end(), states.begin(), states.end());
  if (!module)
    return parameter;
  std::vector<Tensor> results = run(*module, "main", arguments);
  EXPECT_EQ(results.size(), states.size() + 1);
  if (results.size() != states.size() + 1)
    return parameter;
  states.assign(results.begin() + 1, results.end());
  return results[0];
}

} // namespace gensyn::train::test
