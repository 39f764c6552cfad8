// The compiler library, seen from the runtime.
#ifndef GENSYN_RUNTIME_COMPILER_H
#define GENSYN_RUNTIME_COMPILER_H

#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/CompilerProcess.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gensyn::runtime {

/// Calls of CompilerApi.h as functions. A failure that the compiler reports
/// becomes a Failure with its exit code, message and note.
class Compiler {
public:
  using Call = int (*)(const char *, const uint8_t *, size_t, uint8_t **,
                       size_t *);
  using Free = void (*)(uint8_t *);

  /// Calls a library that is open in this process.
  Compiler(Call call, Free free);

  /// Opens libgensyn-compiler.so, which is looked for beside `executable` and
  /// in the lib folder beside its folder, in a process of its own: whatever a
  /// model does to the compiler, this process gets a Failure. Throws a Failure
  /// (unsupported) where it is not installed.
  static std::shared_ptr<Compiler> open(const std::filesystem::path &executable,
                                        CompilerLimits limits = {});

  /// Who is told, in one line each, what the user should know of the machine or
  /// its folders, while the answer is the same. Nobody, unless it is set.
  void setWarn(std::function<void(const std::string &)> function) {
    warn = std::move(function);
  }

  std::shared_ptr<const plan::Executable>
  compile(const plan::CompileRequest &request);
  /// The JSON text of what is in a model.
  std::string info(const plan::InfoRequest &request);
  /// Checks that a program of a package is what its digest and plan say.
  void loadReference(const plan::LoadRequest &request);
  plan::RunResponse runReference(const plan::RunRequest &request);
  /// Writes a model with other values in its initializers.
  plan::ExportResponse exportModel(const plan::ExportRequest &request);
  /// Compiles a program and says which of its ops make numbers that are not
  /// finite.
  plan::ProbeResponse probe(const plan::ProbeRequest &request);

private:
  using Transport = std::function<CompilerAnswer(
      const std::string &, const google::protobuf::MessageLite &)>;

  explicit Compiler(Transport transport) : transport(std::move(transport)) {}

  /// `subject` is the file that the request is about, for messages.
  template <class Response>
  Response ask(const char *method, const google::protobuf::MessageLite &request,
               const std::string &subject);

  Transport transport;
  std::function<void(const std::string &)> warn;
};

} // namespace gensyn::runtime

#endif
