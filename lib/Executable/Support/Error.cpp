// Failures, and quoting of names from files.

#include "gensyn/Executable/Support/Error.h"

#include "gensyn/Executable/Support/Printable.h"

#include <algorithm>

namespace gensyn {

void failBadInput(const std::string &message, const std::string &note) {
  throw Failure(ExitCode::BadInput, message, note);
}

void failUnsupported(const std::string &message, const std::string &note) {
  throw Failure(ExitCode::Unsupported, message, note);
}

void failInputOutput(const std::string &message, const std::string &note) {
  throw Failure(ExitCode::InputOutput, message, note);
}

std::string quote(std::string_view text) {
  constexpr size_t longest = 120;
  return "'" + printable(text, longest, /*kept=*/"", /*escaped=*/"\\") + "'";
}

std::string listed(const std::vector<std::string> &words, size_t limit) {
  std::string result;
  for (size_t i = 0; i < std::min(words.size(), limit); ++i)
    result += (i ? ", " : "") + quote(words[i]);
  if (words.size() > limit)
    result += " and " + std::to_string(words.size() - limit) + " more";
  return result;
}

static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; };
      size_t change = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word,
                    const std::vector<std::string> &candidates) {
  std::string best;
  // A word of a few letters is near to anything: at least half of it must
  // match.
  size_t limit = std::max<size_t>(1, word.size() / 2);
  if (word.size() > 64)
    return best;
  size_t bestDistance = limit + 1;
  for (const std::string &candidate : candidates) {
    size_t distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

} // namespace gensyn
