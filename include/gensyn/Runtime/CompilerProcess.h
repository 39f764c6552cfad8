// The compiler library in a process of its own, with limits.
#ifndef GENSYN_RUNTIME_COMPILERPROCESS_H
#define GENSYN_RUNTIME_COMPILERPROCESS_H

#include "gensyn/Executable/Error.h"

#include <google/protobuf/message_lite.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace gensyn::runtime {

/// The limits of a compiler process.
struct CompilerLimits {
  /// Bytes that it may allocate; 0: no limit. The default is all of the
  /// machine's memory, or what the control group allows.
  uint64_t memory = machineMemory();
  /// Seconds for one request; 0: no limit. Runs of the reference interpreter
  /// have none: they take what the program takes.
  unsigned seconds = 3600;

  static uint64_t machineMemory();
};

/// The serialized answer to one request, with the status of
/// gensyn_compiler_call. The bytes live as long as `owner`.
struct CompilerAnswer {
  int status = 0;
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;
};

/// The compiler ended before it answered.
struct CompilerStopped {
  ExitCode code;
  std::string reason; ///< "the compiler stopped (SIGSEGV)"
  std::string note;
};

/// A child process that opens the compiler library and answers requests.
/// Untrusted input is read there: a crash, endless work or allocations beyond
/// the limits end the child, and this process says so. Requests and answers
/// travel as anonymous files in memory, so that nothing is copied through a
/// pipe. The child ends with this object or with this process.
class CompilerProcess {
public:
  /// Starts the child. Throws a Failure: unsupported where the library cannot
  /// be opened, out of resources where no process can be made.
  CompilerProcess(const std::filesystem::path &library, CompilerLimits limits);
  ~CompilerProcess();
  CompilerProcess(const CompilerProcess &) = delete;
  CompilerProcess &operator=(const CompilerProcess &) = delete;

  /// Sends a request and waits for its answer. Throws CompilerStopped where the
  /// child ended; the next call starts another one. One call at a time:
  /// callers on several threads take turns.
  CompilerAnswer call(const std::string &method,
                      const google::protobuf::MessageLite &request);

private:
  class Child;
  struct State;
  std::unique_ptr<State> state;
};

} // namespace gensyn::runtime

#endif
