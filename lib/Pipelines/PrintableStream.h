// A stream for messages that quote files.

#ifndef GENSYN_LIB_PIPELINES_PRINTABLESTREAM_H
#define GENSYN_LIB_PIPELINES_PRINTABLESTREAM_H

#include "gensyn/Runtime/Printable.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace gensyn {

/// Hands lines on to `target` when they are complete, as `printable` text.
class PrintableStream final : public llvm::raw_ostream {
public:
  explicit PrintableStream(llvm::raw_ostream &target)
      : raw_ostream(/*unbuffered=*/true), target(target) {}
  ~PrintableStream() override {
    if (!line.empty())
      put(line);
  }

private:
  void put(llvm::StringRef text) {
    target << runtime::printable(text, runtime::longestLine, "\t");
    bytes += text.size();
  }
  void write_impl(const char *data, size_t size) override {
    line.append(data, size);
    for (size_t end; (end = line.find('\n')) != std::string::npos;
         line.erase(0, end + 1)) {
      put(llvm::StringRef(line).take_front(end));
      target << '\n';
    }
    target.flush();
  }
  uint64_t current_pos() const override { return bytes; }

  llvm::raw_ostream &target;
  std::string line;
  uint64_t bytes = 0;
};

} // namespace gensyn

#endif
