// Joins words for a sentence.

#ifndef GENSYN_LIB_MACHINE_ALTERNATIVES_H
#define GENSYN_LIB_MACHINE_ALTERNATIVES_H

#include <string>
#include <vector>

namespace gensyn::machine {

/// "a, b or c".
inline std::string joinAlternatives(const std::vector<std::string> &words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i)
      text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

} // namespace gensyn::machine

#endif
