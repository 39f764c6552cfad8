// A model file on its way to a program on a device.
#ifndef GENSYN_TOOLS_GENSYN_RUN_MODEL_H
#define GENSYN_TOOLS_GENSYN_RUN_MODEL_H

#include "Options.h"

#include "gensyn/Runtime/Compiler.h"
#include "gensyn/Runtime/Program.h"

#include <memory>
#include <string>

namespace gensyn::run {

/// The compiler, the device and the model that the options name.
class Model {
public:
  /// Proves that the model can be read, and opens compiler and device.
  explicit Model(const Options &options);

  /// The text of the recipe; empty where there is none.
  const std::string &recipeText() const { return recipe; }
  std::string target() const { return device->target(); }

  /// Compiles and loads; `kind` is "infer", "grad", "train" or "eval".
  std::unique_ptr<runtime::Program> program(const std::string &kind,
                                            int64_t batchSize);

  /// What `info` says, as JSON text.
  std::string info() const;
  /// The classes of a classification by the recipe's loss; 0 where the loss is
  /// another one or the number is not known before compiling.
  int64_t classes() const;

private:
  const Options &options;
  std::string recipe;
  std::shared_ptr<runtime::Compiler> compiler;
  std::unique_ptr<runtime::Device> device;
};

} // namespace gensyn::run

#endif
