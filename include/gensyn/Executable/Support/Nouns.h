// Singular and plural nouns after numbers, for messages.

#ifndef GENSYN_EXECUTABLE_SUPPORT_NOUNS_H
#define GENSYN_EXECUTABLE_SUPPORT_NOUNS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace gensyn {

/// Returns "input" for 1, else "inputs".
inline std::string nounFor(int64_t number, std::string_view noun) {
  return std::string(noun) + (number == 1 ? "" : "s");
}

/// Returns "1 input", "2 inputs".
inline std::string countOf(int64_t number, std::string_view noun) {
  return std::to_string(number) + " " + nounFor(number, noun);
}

} // namespace gensyn

#endif
