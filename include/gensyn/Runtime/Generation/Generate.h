// Text generation with a language model.
#ifndef GENSYN_RUNTIME_GENERATION_GENERATE_H
#define GENSYN_RUNTIME_GENERATION_GENERATE_H

#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Generation/Sampling.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::runtime {

/// The strings of tokens, by token number.
class Vocabulary {
public:
  /// Parses a JSON list of strings. Throws a Failure (bad input) that begins
  /// with `file` for anything else.
  Vocabulary(std::string_view json, const std::string &file);

  /// Tokenizes a text: at each position the longest matching string wins, the
  /// first of equal ones. Throws a Failure (bad input) if no string matches.
  std::vector<int64_t> encode(std::string_view text) const;
  /// Returns the text of a token; throws a Failure (bad input) if the token
  /// does not exist.
  const std::string &at(int64_t token) const;

private:
  std::string file;
  std::vector<std::string> strings;
};

/// Runs a program that computes logits [1, length, classes] of tokens [1,
/// length].
class Generator {
public:
  /// Checks that the program has one integer input and one such float32 output;
  /// throws a Failure (bad input) otherwise. `model` begins messages.
  Generator(Session &session, const std::string &model);

  int64_t length() const { return window; }

  /// Appends `count` tokens to `tokens`, which must not be empty, and reports
  /// each one to `observer`; ends early if `stop` is set. The model sees the
  /// last length() tokens, or all of them padded with zeros at the end: a
  /// causal model does not look at later tokens. The sampling position of a
  /// token is its index.
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
