// Streams of tokens as samples of a language model.
#ifndef GENSYN_LIB_RUNTIME_TOKENWINDOWS_H
#define GENSYN_LIB_RUNTIME_TOKENWINDOWS_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Runtime/Devices/Program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The part of a window that a tensor of the model gets: the tokens; for each
/// token the one after it; the one after the last; or a constant that does not
/// depend on them.
enum class WindowPart { Tokens, NextTokens, LastNext, Ones, Zeros, Positions };

/// Returns the number of windows of `length` tokens in a stream. Each begins
/// where the previous one ends and needs one more token for its targets. Throws
/// a Failure unless the file has exactly one tensor, of integers and with one
/// dimension.
int64_t countWindows(const TensorFile &file, int64_t length);

/// Returns the part that each input and target of the program gets, in the
/// order of the signature; std::nullopt for its other ports. Inputs called
/// attention_mask (ones), token_type_ids (zeros) and position_ids (0, 1, 2,
/// ...) are constants; the tokens go to the only other integer input, or of
/// several to the one called input_ids. Throws a Failure if an input or the
/// target gets nothing. Messages begin with `where`.
std::vector<std::optional<WindowPart>> planWindows(const Signature &signature,
                                                   int64_t length,
                                                   const std::string &where);

/// Returns the tokens of a window and the one after it.
TensorEntry cutWindow(const TensorEntry &stream, int64_t index, int64_t length);

/// Fills a row of a batch. Throws a Failure if a token does not fit the
/// tensor's type; messages begin with `where`.
void fillWindow(WindowPart part, const TensorEntry &window, Tensor &batch,
                int64_t row, const std::string &where);

} // namespace gensyn::runtime

#endif
