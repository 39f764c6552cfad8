// Which x86-64 level this processor has.

#include "gensyn/Runtime/Devices.h"
#include "gensyn/Runtime/Error.h"

#include <algorithm>
#include <vector>

namespace gensyn::runtime {

#if defined(__x86_64__)

static const std::vector<std::string> instructionSets = {"x86-64", "x86-64-v3",
                                                         "x86-64-v4"};

/// The index of the best set of this processor.
static size_t nativeLevel() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return 2;
  return __builtin_cpu_supports("x86-64-v3") ? 1 : 0;
}

#elif defined(__aarch64__)

static const std::vector<std::string> instructionSets = {"aarch64"};
static size_t nativeLevel() { return 0; }

#endif

std::string nativeInstructionSet() { return instructionSets[nativeLevel()]; }

std::vector<std::string> nativeInstructionSets() {
  std::vector<std::string> sets;
  for (size_t level = nativeLevel() + 1; level-- > 0;)
    sets.push_back(instructionSets[level]);
  return sets;
}

bool isInstructionSet(std::string_view word) {
  return std::find(instructionSets.begin(), instructionSets.end(), word) !=
         instructionSets.end();
}

std::string chooseInstructionSet(std::string_view word) {
  if (word == "native")
    return nativeInstructionSet();
  for (size_t level = 0; level < instructionSets.size(); ++level) {
    if (word != instructionSets[level])
      continue;
    if (level > nativeLevel())
      failUnsupported("this processor has no " + std::string(word) +
                          " instructions",
                      "the best set it has is " + nativeInstructionSet());
    return instructionSets[level];
  }
  throw Failure(ExitCode::Usage,
                "instruction set " + quote(word) + " is not known",
                "known are " + listed(instructionSets) + " and 'native'");
}

} // namespace gensyn::runtime
