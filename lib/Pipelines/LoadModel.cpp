// See LoadModel.h.

#include "LoadModel.h"

#include "Report.h"
#include "TrainingInfo.h"
#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Translation/Onnx/Import.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn {

std::unique_ptr<MLIRContext> createContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // Users are told of nodes; the op would follow as a note.
  context->printOpOnDiagnostic(false);
  return context;
}

/// The name of a symbolic dimension, or empty where it is static or nameless.
static std::string dimensionName(RankedTensorType type, int64_t dim) {
  auto names = dyn_cast_or_null<ArrayAttr>(type.getEncoding());
  if (!type.isDynamicDim(dim) || !names || dim >= int64_t(names.size()))
    return "";
  auto name = dyn_cast<StringAttr>(names[dim]);
  return name ? name.getValue().str() : "";
}

/// Gives the first dimension of each graph input the batch size; it wins over
/// --dim, as the last batch of an epoch is smaller than the others.
static void bindBatch(func::FuncOp main, int64_t batchSize,
                      std::map<std::string, int64_t> &dims) {
  for (BlockArgument argument : main.getArguments()) {
    auto role = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  "gensyn.role");
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!role || role.getValue() != "input" || !type || type.getRank() == 0)
      continue;
    if (std::string name = dimensionName(type, 0); !name.empty())
      dims[name] = batchSize;
  }
}

/// False, with the error, where a graph input still has an unknown extent.
static bool checkStatic(func::FuncOp main, const std::string &path,
                        plan::Error &error) {
  for (BlockArgument argument : main.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto name =
        main.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "onnx.name");
    std::string input = name ? name.getValue().str() : "";
    if (!type)
      return fail(error, ExitCode::Unsupported,
                  path + ": input '" + input + "' is no tensor of known rank");
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      std::string symbol = dimensionName(type, dim);
      return fail(
          error, ExitCode::BadInput,
          path + ": input '" + input + "': dimension " + Twine(dim) +
              (symbol.empty() ? Twine(" has no size and no name")
                              : " ('" + Twine(symbol) + "') has no size"),
          symbol.empty()
              ? Twine("")
              : "give it one: --dim " + Twine(symbol) +
                    (dim == 0 ? "=N, or the recipe's batch_size" : "=N"));
    }
  }
  return true;
}

OwningOpRef<ModuleOp> loadModel(const std::string &path,
                                std::map<std::string, int64_t> dims,
                                int64_t batchSize, MLIRContext &context,
                                plan::Error &error, StringRef training) {
  ImportOptions options;
  options.isKnown = [](StringRef domain, StringRef op, int since) {
    return isConvertible(domain, op, since);
  };
  // Sizes are bound below: the batch's name is only known from the model.
  options.checkShapes = false;
  options.trainingInfo = !training.empty();
  ImportError why;
  OwningOpRef<ModuleOp> module = importOnnxFile(path, options, &context, why);
  if (!module) {
    error.set_exit_code(why.exitCode());
    error.set_message(why.message);
    return nullptr;
  }
  if (!training.empty() && !selectTrainingInfo(*module, training, path, error))
    return nullptr;
  auto main = module->lookupSymbol<func::FuncOp>("main");
  if (batchSize > 0)
    bindBatch(main, batchSize, dims);
  if (training == "initialize")
    dims.clear(); // it has no inputs, and so no dimensions
  Report report(&context);
  if (failed(onnx::bindDimensions(*module, dims)))
    return report.fill(path, ExitCode::BadInput, error), nullptr;
  if (!checkStatic(main, path, error))
    return nullptr;
  return module;
}

} // namespace gensyn
