// A model file on its way to a program on a device.
#ifndef GENSYN_TOOLS_GENSYN_RUN_MODEL_H
#define GENSYN_TOOLS_GENSYN_RUN_MODEL_H

#include "Options.h"

#include "gensyn/Runtime/Compiler.h"
#include "gensyn/Runtime/KernelProfile.h"
#include "gensyn/Runtime/Package.h"
#include "gensyn/Runtime/Program.h"
#include "gensyn/Runtime/Train.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::run {

/// The compiler beside this tool; a Failure (unsupported) where there is none.
std::shared_ptr<runtime::Compiler> openCompiler(const Options &options);

/// The compiler's request by the options.
plan::CompileRequest
makeCompileRequest(const Options &options, const std::string &kind,
                   const std::string &recipe, const std::string &target,
                   int64_t batchSize, const plan::GivenTensors &given = {});
plan::InfoRequest makeInfoRequest(const Options &options,
                                  const std::string &recipe);

/// The device and the model that the options name: an ONNX file, for which the
/// compiler is needed, or a package, for which it is not.
class Model {
public:
  /// Proves that the model can be read, and opens what is needed.
  explicit Model(const Options &options);

  /// Null for an ONNX file.
  const runtime::Package *package() const {
    return packed ? &*packed : nullptr;
  }
  /// The text of the recipe, and what messages call it; empty where there is
  /// none.
  const std::string &recipeText() const { return recipe; }
  std::string recipeName() const;
  std::string target() const { return device->target(); }

  /// Compiles, or finds in the package, and loads.
  std::unique_ptr<runtime::Program>
  program(const runtime::ProgramRequest &request);
  /// The same without loading it.
  std::shared_ptr<const plan::Executable>
  executable(const runtime::ProgramRequest &request);

  /// Looks for the ops that make numbers which are not finite; see
  /// NonFiniteProbe.
  runtime::NonFiniteOps probe(int64_t batchSize,
                              const std::string &programDigest,
                              const std::vector<Tensor> &inputs);

  /// The answer of `info`, as JSON text.
  std::string info() const;
  /// The same of the model alone, whatever the recipe; asked for once.
  const std::string &facts() const;
  /// The classes of a classification by the recipe's loss; 0 where the loss is
  /// another one or the number is not known before compiling.
  int64_t classes() const;

  /// Prints what kernels took, where --profile asks for it.
  void reportProfile() const;

private:
  void openPackage();
  std::unique_ptr<runtime::Device> makeDevice();

  const Options &options;
  std::string recipe;
  mutable std::string known;
  /// The inputs of the newest program of kind "train".
  plan::GivenTensors trainedOn;
  std::optional<runtime::Package> packed;
  std::shared_ptr<runtime::Compiler> compiler;
  runtime::KernelProfile profile;
  std::unique_ptr<runtime::Device> device;
};

} // namespace gensyn::run

#endif
