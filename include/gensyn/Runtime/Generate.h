// Continuing a text by a model of language.
#ifndef GENSYN_RUNTIME_GENERATE_H
#define GENSYN_RUNTIME_GENERATE_H

#include "gensyn/Runtime/Sampling.h"
#include "gensyn/Runtime/Session.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::runtime {

/// The strings that tokens stand for, by their numbers.
class Vocabulary {
public:
  /// From a JSON list of strings. Throws a Failure (bad input) that begins with
  /// `file` for anything else.
  Vocabulary(std::string_view json, const std::string &file);

  /// The tokens of a text: at each place the longest string that fits, of equal
  /// ones the first. Throws a Failure (bad input) where none fits.
  std::vector<int64_t> encode(std::string_view text) const;
  /// The text of a token; throws a Failure (bad input) where there is none.
  const std::string &at(int64_t token) const;

private:
  std::string file;
  std::vector<std::string> strings;
};

/// Runs a program that infers logits [1, length, classes] of tokens [1,
/// length].
class Generator {
public:
  /// Refuses (bad input) a program that has not one integer input and one such
  /// float32 output. `model` begins messages.
  Generator(Session &session, const std::string &model);

  int64_t length() const { return window; }

  /// Appends `count` tokens to `tokens`, which must not be empty, and tells
  /// each one to `observer`; ends early where `stop` is set. The model sees the
  /// last length() tokens, or all of them followed by zeros where there are
  /// fewer: in a causal model what follows a token does not matter to it. The
  /// position that a token is sampled for is its index.
  void run(std::vector<int64_t> &tokens, int64_t count,
           const SamplingOptions &options,
           const std::function<void(int64_t)> &observer,
           const std::atomic<bool> &stop);

private:
  Session &session;
  std::string model;
  const Port *input = nullptr;
  int output = -1;
  int64_t window = 0;
  int64_t classes = 0;
};

} // namespace gensyn::runtime

#endif
