// A target with every fault that the driver detects, so that a test sees it
// detect them.

#include "Driver.h"

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <unistd.h>

namespace gensyn::fuzz {
namespace {

/// The mutant is a letter; half of them are harmless.
class Faults final : public Target {
public:
  explicit Faults(const std::vector<std::string> &) {}

  std::string name() const override { return "fault"; }

  std::string mutate(Random &random) override {
    return {"chmetx01........"[random.below(16)]};
  }

  std::string run(const std::string &input) override {
    switch (input.front()) {
    case 'c':
      // With sanitizers these would end with the sanitizer's own report.
      std::signal(SIGSEGV, SIG_DFL);
      std::raise(SIGSEGV);
      break;
    case 'h':
      for (volatile bool forever = true; forever;)
        continue;
      break;
    case 'm': {
      const size_t bytes = size_t(256) << 20;
      auto *memory = static_cast<volatile char *>(std::malloc(bytes));
      for (size_t at = 0; memory && at < bytes; at += 4096)
        memory[at] = 1;
      std::free(const_cast<char *>(memory));
      break;
    }
    case 'e':
      throw std::runtime_error("thrown");
    case 't':
      return "told";
    case 'x':
      ::_exit(3);
    case '0':
      ::_exit(0);
    case '1':
      ::_exit(11);
    default:
      break;
    }
    return "";
  }
};

} // namespace
} // namespace gensyn::fuzz

int main(int count, char **arguments) {
  return gensyn::fuzz::runFuzzer<gensyn::fuzz::Faults>(count, arguments,
                                                       "FILE");
}
