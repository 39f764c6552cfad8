// Standard output and standard error of MLIR-based tools.

#ifndef GENSYN_PIPELINES_STANDARDSTREAMS_H
#define GENSYN_PIPELINES_STANDARDSTREAMS_H

#include "gensyn/Executable/Support/Printable.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace gensyn {

/// Passes complete lines on to `target`, as `printable` text of up to `limit`
/// bytes each: messages quote files.
class PrintableStream final : public llvm::raw_ostream {
public:
  explicit PrintableStream(llvm::raw_ostream &target,
                           size_t limit = longestLine)
      : raw_ostream(/*unbuffered=*/true), target(target), limit(limit) {}
  ~PrintableStream() override;

private:
  void put(llvm::StringRef text);
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return bytes; }

  llvm::raw_ostream &target;
  const size_t limit;
  std::string line;
  uint64_t bytes = 0;
};

/// While it lives, everything that this process writes to standard error,
/// through any stream, passes through a PrintableStream. That runs in a process
/// of its own, so that the last messages of a crash are printed too. Only one
/// at a time.
class PrintableErrors {
public:
  /// Throws a Failure (out of resources) if no process can be created.
  PrintableErrors();
  /// Returns when everything has arrived.
  ~PrintableErrors();
  PrintableErrors(const PrintableErrors &) = delete;
  PrintableErrors &operator=(const PrintableErrors &) = delete;

private:
  int kept = -1;  ///< standard error as it was
  int child = -1; ///< the process
};

/// Throws a Failure (I/O) if not all of it could be written.
void writeToStdout(llvm::StringRef text);

} // namespace gensyn

#endif
