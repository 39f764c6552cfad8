// See TrainingInfo.h.

#include "TrainingInfo.h"

#include "Report.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn {

bool isOfTrainingInfo(std::optional<ProgramKind> kind, const Recipe &recipe) {
  return kind == ProgramKind::Initialize ||
         ((kind == ProgramKind::Train || kind == ProgramKind::Eval) &&
          recipe.usesTrainingInfo);
}

/// One result for each initializer, under its name.
static void nameByUpdates(func::FuncOp function) {
  OpBuilder b(function.getContext());
  Operation *terminator = function.front().getTerminator();
  SmallVector<Value> values;
  SmallVector<Attribute> names;
  for (auto [number, value] : llvm::enumerate(terminator->getOperands()))
    if (auto keys = function.getResultAttrOfType<ArrayAttr>(
            number, program::kUpdatesAttr))
      for (Attribute key : keys) {
        values.push_back(value);
        names.push_back(key);
      }
  for (unsigned i = function.getNumResults(); i-- > 0;)
    function.setResultAttrs(i, ArrayRef<NamedAttribute>());
  terminator->setOperands(values);
  function.setFunctionType(b.getFunctionType(function.getArgumentTypes(),
                                             ValueRange(values).getTypes()));
  SmallVector<Attribute> attributes;
  for (Attribute name : names)
    attributes.push_back(
        b.getDictionaryAttr(b.getNamedAttr(onnx::names::name, name)));
  function.setResAttrsAttr(b.getArrayAttr(attributes));
}

bool selectTrainingInfo(ModuleOp module, ProgramKind kind,
                        const std::string &path, plan::Error &error) {
  const bool initializes = kind == ProgramKind::Initialize;
  auto algorithm =
      module.lookupSymbol<func::FuncOp>(onnx::names::algorithmFunction);
  auto initialization =
      module.lookupSymbol<func::FuncOp>(onnx::names::initializationFunction);
  if (!algorithm)
    return fail(error, ExitCode::BadInput,
                path + ": the recipe has no 'loss', and the model no "
                       "training_info that would say how it is trained");
  if (initializes && !initialization)
    return fail(error, ExitCode::BadInput,
                path + ": training_info has no initialization");
  func::FuncOp chosen = initializes ? initialization : algorithm;
  for (func::FuncOp function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function != chosen)
      function.erase();
  chosen.setName("main");
  if (initializes)
    nameByUpdates(chosen);
  else
    chosen->setAttr(program::kTrainingInfoAttr,
                    UnitAttr::get(module.getContext()));
  return true;
}

} // namespace gensyn
