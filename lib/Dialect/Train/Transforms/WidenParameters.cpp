// f32 masters for a model whose parameters are narrow floats.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINWIDENPARAMETERSPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;

static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

static APFloat widen(APFloat number) {
  bool losesInfo; // never: f32 represents all values of narrow floats
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number;
}

/// Replaces the types everywhere, in attributes and constants too, without
/// knowledge of individual ops.
static void widenAll(func::FuncOp function) {
  Type f32 = Float32Type::get(function.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [=](Float16Type) -> std::optional<Type> { return f32; });
  replacer.addReplacement(
      [=](BFloat16Type) -> std::optional<Type> { return f32; });
  using Replacement = std::optional<std::pair<Attribute, WalkResult>>;
  replacer.addReplacement([=](FloatAttr number) -> Replacement {
    if (!isNarrow(number.getType()))
      return std::nullopt;
    return {
        {FloatAttr::get(f32, widen(number.getValue())), WalkResult::skip()}};
  });
  replacer.addReplacement([=](DenseFPElementsAttr numbers) -> Replacement {
    if (!isNarrow(numbers.getElementType()))
      return std::nullopt;
    Attribute wide = numbers.mapValues(f32, [](const APFloat &number) {
      return widen(number).bitcastToAPInt();
    });
    return {{wide, WalkResult::skip()}};
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Records the element type of the initial values in a file.
static void noteStoredType(func::FuncOp function, unsigned argument) {
  auto place = function.getArgAttrOfType<DictionaryAttr>(argument,
                                                         program::kInitialAttr);
  Type type = getElementTypeOrSelf(function.getArgument(argument).getType());
  if (!place || !isNarrow(type))
    return;
  NamedAttrList entries(place);
  entries.set("type", StringAttr::get(function.getContext(),
                                      type.isF16() ? "f16" : "bf16"));
  function.setArgAttr(argument, program::kInitialAttr,
                      entries.getDictionary(function.getContext()));
}

/// Restores an input's type, which data have.
static void keepInput(func::FuncOp function, unsigned number, Type type) {
  BlockArgument argument = function.getArgument(number);
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(&function.getBody().front());
  Type wide = argument.getType();
  argument.setType(type);
  auto converted =
      repro::ConvertOp::create(builder, argument.getLoc(), wide, argument);
  argument.replaceAllUsesExcept(converted, converted);
}

static void widenFunction(func::FuncOp function) {
  SmallVector<std::pair<unsigned, Type>> inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    noteStoredType(function, i);
    if (program::hasRole(function, i, Role::Input) &&
        isNarrow(function.getArgument(i).getType()))
      inputs.emplace_back(i, function.getArgument(i).getType());
  }
  widenAll(function);
  for (auto [number, type] : inputs)
    keepInput(function, number, type);
  function.setType(FunctionType::get(function.getContext(),
                                     function.getBody().getArgumentTypes(),
                                     function.getResultTypes()));
  // Conversions between the two types have become no-ops.
  function.walk([](repro::ConvertOp op) {
    if (op.getOperand().getType() != op.getType())
      return;
    op.replaceAllUsesWith(op.getOperand());
    op.erase();
  });
}

static bool hasNarrowParameter(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (program::hasRole(function, i, Role::Parameter) &&
        isNarrow(function.getArgument(i).getType()))
      return true;
  }
  return false;
}

namespace {
struct WidenParameters final
    : train::impl::TrainWidenParametersPassBase<WidenParameters> {
  using TrainWidenParametersPassBase::TrainWidenParametersPassBase;
  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (function && !function.isExternal() && hasNarrowParameter(function))
      widenFunction(function);
  }
};
} // namespace
