// The translations of ONNX for gensyn-translate.

#include "gensyn/Translation/Onnx/Register.h"
#include "RoundTrip.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Translation/Onnx/Export.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace gensyn {
namespace {

struct Options {
  llvm::cl::list<std::string> dims{
      "dim", llvm::cl::desc("Size of a symbolic dimension of the ONNX model"),
      llvm::cl::value_desc("name=size")};
  llvm::cl::opt<bool> keepUnknown{
      "keep-unknown-operators",
      llvm::cl::desc("Import nodes of unknown operators as onnx.custom")};
  llvm::cl::opt<bool> symbolicWeights{
      "symbolic-weights",
      llvm::cl::desc("Import initializers whose external data is absent as "
                     "symbolic ones")};
  llvm::cl::opt<uint64_t> symbolicSeed{
      "symbolic-seed", llvm::cl::desc("The seed of their values")};
  llvm::cl::opt<std::string> folder{
      "model-folder",
      llvm::cl::desc(
          "Folder of the external data that --mlir-to-onnx reads; the one the "
          "module names if empty")};
};

/// Reports an error: one line, and the exit code for main.
struct Errors {
  ExitCode &exitCode;
  raw_ostream &stream;

  LogicalResult report(const ImportError &error) const {
    stream << "gensyn-translate: error: " << error.message << "\n";
    exitCode = error.exitCode();
    return failure();
  }
};

OwningOpRef<Operation *> toMlir(llvm::SourceMgr &sources, MLIRContext *context,
                                const Options &given, Errors errors) {
  // Weights are referred to by file, so the translation needs the path and not
  // the bytes.
  StringRef path =
      sources.getMemoryBuffer(sources.getMainFileID())->getBufferIdentifier();
  ImportError error;
  ImportOptions options;
  options.keepUnknownOperators = given.keepUnknown;
  if (given.symbolicWeights)
    options.symbolicSeed = given.symbolicSeed;
  if (path == "<stdin>") {
    error = {ImportError::Kind::Usage, "an ONNX model is read from a file: its "
                                       "weights are referred to by name"};
    return (void)errors.report(error), nullptr;
  }
  for (const std::string &text : given.dims)
    if (!onnx::parseDimension(text, options.dims)) {
      error = {ImportError::Kind::Usage, "--dim " + text + ": not name=size"};
      return (void)errors.report(error), nullptr;
    }
  OwningOpRef<ModuleOp> module = importOnnxFile(path, options, context, error);
  if (!module)
    return (void)errors.report(error), nullptr;
  return OwningOpRef<Operation *>(module.release());
}

/// Registered with the command line on first use.
Options &getOptions() {
  static Options options;
  return options;
}
} // namespace

std::vector<std::string> getDimensionTexts() {
  return {getOptions().dims.begin(), getOptions().dims.end()};
}

void registerOnnxTranslations(ExitCode &exitCode, raw_ostream &stream) {
  Options &options = getOptions();
  Errors errors{exitCode, stream};
  auto dialects = [](DialectRegistry &registry) {
    registry.insert<func::FuncDialect, onnx::OnnxDialect>();
  };
  TranslateToMLIRRegistration toMlirRegistration(
      "onnx-to-mlir", "ONNX model to the onnx dialect",
      [errors](llvm::SourceMgr &sources, MLIRContext *context) {
        return toMlir(sources, context, getOptions(), errors);
      },
      dialects);
  TranslateFromMLIRRegistration toOnnxRegistration(
      "mlir-to-onnx", "onnx dialect to a self-contained ONNX model",
      [&options, errors](ModuleOp module, raw_ostream &os) -> LogicalResult {
        ImportError error;
        ExportOptions exportOptions{options.folder};
        if (failed(exportOnnx(module, exportOptions, os, error)))
          return errors.report(error);
        return success();
      },
      dialects);
  TranslateRegistration roundTripRegistration(
      "onnx-round-trip",
      "Each ONNX model of a list (input<TAB>output) to the dialect and back",
      [](const std::shared_ptr<llvm::SourceMgr> &sources, raw_ostream &os,
         MLIRContext *) {
        return roundTripAll(
            sources->getMemoryBuffer(sources->getMainFileID())->getBuffer(),
            os);
      });
}
} // namespace gensyn
