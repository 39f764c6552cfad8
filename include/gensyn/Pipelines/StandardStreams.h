// Standard output and standard error of tools of MLIR.

#ifndef GENSYN_PIPELINES_STANDARDSTREAMS_H
#define GENSYN_PIPELINES_STANDARDSTREAMS_H

#include "gensyn/Runtime/Printable.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace gensyn {

/// Hands lines on to `target` when they are complete, as `printable` text of
/// up to `limit` bytes each: messages quote files.
class PrintableStream final : public llvm::raw_ostream {
public:
  explicit PrintableStream(llvm::raw_ostream &target,
                           size_t limit = runtime::longestLine)
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

/// While it lives, all that this process writes to standard error, through
/// whatever stream, passes through a PrintableStream: in a process of its own,
/// so that the last words of a crash arrive, too. One at a time.
class PrintableErrors {
public:
  /// Throws a Failure (out of resources) where there is no further process.
  PrintableErrors();
  /// When it returns, all has arrived.
  ~PrintableErrors();
  PrintableErrors(const PrintableErrors &) = delete;
  PrintableErrors &operator=(const PrintableErrors &) = delete;

private:
  int kept = -1;  ///< standard error as it was
  int child = -1; ///< the process
};

/// Throws a Failure (I/O) where not all of it could be written.
void writeToStdout(llvm::StringRef text);

} // namespace gensyn

#endif
