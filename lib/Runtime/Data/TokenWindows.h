// Streams of tokens as samples of a language model.
#ifndef GENSYN_LIB_RUNTIME_TOKENWINDOWS_H
#define GENSYN_LIB_RUNTIME_TOKENWINDOWS_H

#include "gensyn/Executable/TensorFile.h"
#include "gensyn/Runtime/Program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// What of a window a tensor of the model gets: its tokens; for each of them
/// the one after it; the one after the last; or what does not depend on them.
enum class WindowPart { Tokens, NextTokens, LastNext, Ones, Zeros, Positions };

/// Windows of `length` tokens in a stream, each of which begins where the one
/// before ends and needs a token more for its targets. Throws a Failure where
/// the file has anything but one tensor of integers in one dimension.
int64_t countWindows(const TensorFile &file, int64_t length);

/// What each input and target of the program gets, as the signature lists them;
/// nothing for its other ports. Tokens are the only input of integers that has
/// no name of its own meaning (attention_mask: ones, token_type_ids: zeros,
/// position_ids: 0, 1, 2, ...), or of several the one called input_ids. Throws
/// a Failure where an input or the target gets nothing. Messages begin with
/// `where`.
std::vector<std::optional<WindowPart>> planWindows(const Signature &signature,
                                                   int64_t length,
                                                   const std::string &where);

/// The tokens of a window and the one after it.
TensorEntry cutWindow(const TensorEntry &stream, int64_t index, int64_t length);

/// Fills a row of a batch. Throws a Failure where a token does not fit the
/// tensor's type; messages begin with `where`.
void fillWindow(WindowPart part, const TensorEntry &window, Tensor &batch,
                int64_t row, const std::string &where);

} // namespace gensyn::runtime

#endif
