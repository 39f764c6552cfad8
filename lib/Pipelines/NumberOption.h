// Numbers on the command line of gensyn-translate, with errors of our style.

#ifndef GENSYN_LIB_PIPELINES_NUMBEROPTION_H
#define GENSYN_LIB_PIPELINES_NUMBEROPTION_H

#include "llvm/Support/CommandLine.h"

#include <string>

namespace gensyn {

/// The first problem that a NumberParser saw; empty for none.
inline std::string &getNumberProblem() {
  static std::string problem;
  return problem;
}

/// Records its problem for the tool; LLVM's parser would print it as a line of
/// its own.
template <class Number>
class NumberParser : public llvm::cl::basic_parser<Number> {
public:
  explicit NumberParser(llvm::cl::Option &option)
      : llvm::cl::basic_parser<Number>(option), plain(option) {}

  /// LLVM prints values with this parser.
  operator const llvm::cl::parser<Number> &() const { return plain; }

  llvm::StringRef getValueName() const override { return "number"; }

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, Number &value) {
    if (!text.getAsInteger(0, value))
      return false;
    if (getNumberProblem().empty())
      getNumberProblem() = ("--" + option.ArgStr + ": '" + text +
                            "' is not an integer of its range")
                               .str();
    return true;
  }

private:
  llvm::cl::parser<Number> plain;
};

} // namespace gensyn

#endif
