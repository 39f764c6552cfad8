// See Patterns.h.

#include "Patterns.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gensyn;

static bool matches(StringRef pattern, StringRef text) {
  // After a mismatch the last star takes one more character; backtracking to an
  // earlier star cannot help.
  size_t p = 0, t = 0, star = StringRef::npos, starText = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      starText = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != StringRef::npos) {
      p = star + 1;
      t = ++starText;
    } else {
      return false;
    }
  }
  return pattern.drop_front(p).ltrim('*').empty();
}

bool train::matchesAny(ArrayRef<std::string> patterns, StringRef name) {
  return llvm::any_of(patterns, [&](const std::string &pattern) {
    return matches(pattern, name);
  });
}

LogicalResult train::checkPatterns(Location location, const Twine &where,
                                   ArrayRef<std::string> patterns,
                                   ArrayRef<std::string> names,
                                   StringRef noun) {
  constexpr size_t shown = 5;
  for (const std::string &pattern : patterns) {
    if (llvm::any_of(names, [&](const std::string &name) {
          return matches(pattern, name);
        }))
      continue;
    // The file may use the same name for a tensor as the module.
    llvm::SetVector<StringRef> different(names.begin(), names.end());
    InFlightDiagnostic error = emitError(location)
                               << where << ": '" << pattern << "' fits no "
                               << noun << "; there are " << different.size();
    if (!different.empty())
      error << ": ";
    llvm::interleaveComma(different.getArrayRef().take_front(shown), error,
                          [&](StringRef name) { error << "'" << name << "'"; });
    if (different.size() > shown)
      error << ", ...";
    return error;
  }
  return success();
}

void train::appendConstantNames(ModuleOp module,
                                std::vector<std::string> &names) {
  auto constants = module->getAttrOfType<ArrayAttr>(program::kConstantsAttr);
  for (Attribute name :
       constants ? constants.getValue() : ArrayRef<Attribute>())
    if (auto text = dyn_cast<StringAttr>(name))
      names.push_back(text.str());
}
