// The compiler library in a child process with limits.
#ifndef GENSYN_RUNTIME_COMPILER_COMPILERPROCESS_H
#define GENSYN_RUNTIME_COMPILER_COMPILERPROCESS_H

#include "gensyn/Executable/Support/Error.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace google::protobuf {
class MessageLite;
} // namespace google::protobuf

namespace gensyn::runtime {

/// The limits of a compiler process.
struct CompilerLimits {
  /// Maximum number of bytes that the process may allocate; 0: no limit. The
  /// default is the machine's memory, or the limit of the control group.
  uint64_t memory = machineMemory();
  /// Maximum number of seconds for one request; 0: no limit. Runs of the
  /// reference interpreter have no time limit.
  unsigned seconds = 3600;

  static uint64_t machineMemory();
};

/// The serialized response to one request, with the status of
/// gensyn_compiler_call. The bytes live as long as `owner`.
struct CompilerAnswer {
  int status = 0;
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;
};

/// Thrown if the compiler process ended before it responded.
struct CompilerStopped {
  ExitCode code;
  std::string reason; ///< "the compiler stopped (SIGSEGV)"
  std::string note;
};

/// A child process that opens the compiler library and answers requests. It is
/// the process that reads untrusted input: a crash, an endless loop or an
/// allocation beyond the limits ends the child, and this process reports it.
/// Requests and responses are passed as anonymous files in memory, so nothing
/// is copied through a pipe. The child ends with this object or with this
/// process.
class CompilerProcess {
public:
  /// Starts the child. Throws a Failure: unsupported if the library cannot be
  /// opened, out of resources if the process cannot be created.
  CompilerProcess(const std::filesystem::path &library, CompilerLimits limits);
  ~CompilerProcess();
  CompilerProcess(const CompilerProcess &) = delete;
  CompilerProcess &operator=(const CompilerProcess &) = delete;

  /// Sends a request and waits for the response. Throws CompilerStopped if the
  /// child ended; the next call starts a new child. Calls from several threads
  /// are serialized.
  CompilerAnswer call(const std::string &method,
                      const google::protobuf::MessageLite &request);

private:
  class Child;
  struct State;
  std::unique_ptr<State> state;
};

} // namespace gensyn::runtime

#endif
