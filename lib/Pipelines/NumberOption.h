// Numbers on the command line of gensyn-translate, with errors of our style.

#ifndef GENSYN_LIB_PIPELINES_NUMBEROPTION_H
#define GENSYN_LIB_PIPELINES_NUMBEROPTION_H

#include "llvm/Support/CommandLine.h"

#include <string>

namespace gensyn {

/// Records its problem for the tool; LLVM's parser would print it as a line of
/// its own.
template <class Number>
class NumberParser : public llvm::cl::basic_parser<Number> {
public:
  explicit NumberParser(llvm::cl::Option &option)
      : llvm::cl::basic_parser<Number>(option), plain(option) {}

  /// LLVM prints values with this parser.
  operator const llvm::cl::parser<Number> &() const { return plain; }

  /// Options share `problem`, which gets the first problem of a command line.
  /// It has to live as long as options are parsed.
  void reportTo(std::string &problem) { firstProblem = &problem; }

  llvm::StringRef getValueName() const override { return "number"; }

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, Number &value) {
    if (!text.getAsInteger(0, value))
      return false;
    if (firstProblem && firstProblem->empty())
      *firstProblem = ("--" + option.ArgStr + ": '" + text +
                       "' is not an integer of its range")
                          .str();
    return true;
  }

private:
  llvm::cl::parser<Number> plain;
  std::string *firstProblem = nullptr;
};

} // namespace gensyn

#endif
