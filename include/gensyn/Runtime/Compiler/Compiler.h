// The runtime's interface to the compiler library.
#ifndef GENSYN_RUNTIME_COMPILER_COMPILER_H
#define GENSYN_RUNTIME_COMPILER_COMPILER_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Runtime/Compiler/CompilerProcess.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gensyn::runtime {

/// The calls of CompilerApi.h as functions. An error of the compiler becomes a
/// Failure with its exit code, message and note.
class ResponseCache;

class Compiler {
public:
  using Call = int (*)(const char *, const uint8_t *, size_t, uint8_t **,
                       size_t *);
  using Free = void (*)(uint8_t *);

  /// Calls a library that is loaded in this process.
  Compiler(Call call, Free free);

  /// Opens libgensyn-compiler.so in a child process, so that a crash of the
  /// compiler on a bad model becomes a Failure in this process. The library is
  /// looked for beside `executable` and in the lib folder next to its folder.
  /// Throws a Failure (unsupported) if it is not installed.
  static std::shared_ptr<Compiler> open(const std::filesystem::path &executable,
                                        CompilerLimits limits = {});

  /// Keeps responses about models in a folder of this one, and takes them from
  /// there as long as the models are unchanged. The compiler's process then
  /// starts only when it is needed. Without a library, or with an empty name,
  /// nothing is kept.
  void setCache(const std::filesystem::path &folder);

  /// Identifies this build of the library, by its file; empty if it is in this
  /// process.
  std::string build() const;

  /// Sets the function that receives one-line warnings about the machine or its
  /// folders. They do not affect the response. No warnings are reported by
  /// default.
  void setWarn(std::function<void(const std::string &)> function) {
    warn = std::move(function);
  }

  std::shared_ptr<const plan::Executable>
  compile(const plan::CompileRequest &request);
  /// Compiles the parts of a training step of several microbatches
  /// (plan.proto, SplitStep) and describes the step in `executable`; a step of
  /// one microbatch is compiled as a whole, and has no parts.
  plan::CompileResponse compileParts(const plan::CompileRequest &request);
  /// Returns a description of a model as JSON text.
  std::string info(const plan::InfoRequest &request);
  /// Checks a program of a package against its digest and its plan.
  void loadReference(const plan::LoadRequest &request);
  plan::RunResponse runReference(const plan::RunRequest &request);
  /// Writes a model with its initializers replaced.
  plan::ExportResponse exportModel(const plan::ExportRequest &request);
  /// Maps a program to several machines, and estimates a run on each.
  plan::MapResponse mapVariants(const plan::MapRequest &request);
  /// Compiles a program and reports the ops that produce numbers that are not
  /// finite.
  plan::ProbeResponse probe(const plan::ProbeRequest &request);
  /// Lists the ops of a program one by one, for proofs.
  plan::EntriesResponse listEntries(const plan::EntriesRequest &request);
  /// Computes an element of an op's result from tiles of its operands.
  plan::EvaluateResponse evaluate(const plan::EvaluateRequest &request);
  /// Reads a module or imports a model, runs passes on it, and prints or
  /// translates the result.
  plan::PassesResponse runPasses(const plan::PassesRequest &request);

private:
  using Transport = std::function<CompilerAnswer(
      const std::string &, const google::protobuf::MessageLite &)>;

  Compiler(Transport transport, std::filesystem::path library)
      : transport(std::move(transport)), library(std::move(library)) {}

  plan::CompileResponse askToCompile(const plan::CompileRequest &request);
  /// Sends the request and returns the response.
  CompilerAnswer send(const char *method,
                      const google::protobuf::MessageLite &request,
                      const std::string &subject);
  /// The same by way of the cache, under the key of `identity`: the request
  /// without what its response does not depend on.
  CompilerAnswer sendCached(const char *method,
                            const google::protobuf::MessageLite &request,
                            const google::protobuf::MessageLite &identity,
                            const std::string &subject);
  /// `subject` is the file that the request is about, for messages. With an
  /// `identity` the response may come from the cache.
  template <class Response>
  Response ask(const char *method, const google::protobuf::MessageLite &request,
               const std::string &subject,
               const google::protobuf::MessageLite *identity = nullptr);

  Transport transport;
  std::filesystem::path library;
  std::shared_ptr<ResponseCache> cache;
  std::function<void(const std::string &)> warn;
};

} // namespace gensyn::runtime

#endif
