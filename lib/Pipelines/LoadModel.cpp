// See LoadModel.h.

#include "LoadModel.h"

#include "BindInputs.h"
#include "TrainingInfo.h"
#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Translation/Onnx/Import.h"

using namespace mlir;

namespace gensyn {

std::unique_ptr<MLIRContext> createContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // Messages name nodes; MLIR would append the op as a note.
  context->printOpOnDiagnostic(false);
  return context;
}

OwningOpRef<ModuleOp> loadModel(const plan::CompileRequest &request,
                                const Recipe &recipe, int64_t batchSize,
                                MLIRContext &context, plan::Error &error,
                                StringRef training) {
  const std::string &path = request.model_path();
  ImportOptions options;
  options.isKnown = [](StringRef domain, StringRef op, int since) {
    return isConvertible(domain, op, since);
  };
  // Sizes are bound later: the batch's name is only known from the model.
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
  // An initialization has no inputs, and so no dimensions.
  if ((training != "initialize" &&
       !bindInputs(*module, request, recipe, batchSize, error)) ||
      !requireBound(*module, request, error))
    return nullptr;
  return module;
}

} // namespace gensyn
