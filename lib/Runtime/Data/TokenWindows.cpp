// Cuts streams of tokens into windows and determines which tensors a model
// expects.

#include "TokenWindows.h"

#include "gensyn/Executable/Packages/InitialValues.h"
#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace gensyn::runtime {

int64_t countWindows(const TensorFile &file, int64_t length) {
  const std::string where = file.path().string() + ": ";
  const char *note = "--sequence-length is for streams of tokens, such as "
                     "'tokens' uint16[N]";
  if (file.entries().size() != 1)
    failBadInput(where +
                     (file.entries().empty()
                          ? "the file is empty"
                          : "a stream of tokens is one tensor, the file has " +
                                listed(file.names())),
                 note);
  const auto &[name, entry] = *file.entries().begin();
  if (entry.shape.size() != 1 || !isInteger(entry.type) ||
      bitWidth(entry.type) < 8)
    failBadInput(where + quote(name) + " is " + longName(entry.type) +
                     describeShape(entry.shape) +
                     "; a stream of tokens has integers in one dimension",
                 note);
  return entry.shape[0] ? (entry.shape[0] - 1) / length : 0;
}

/// Returns the contents of an input whose name alone determines them.
static std::optional<WindowPart> partByName(const std::string &name) {
  if (name == "attention_mask")
    return WindowPart::Ones;
  if (name == "token_type_ids")
    return WindowPart::Zeros;
  if (name == "position_ids")
    return WindowPart::Positions;
  return std::nullopt;
}

/// Returns the index of the input that gets the tokens.
static size_t findTokens(const Signature &signature, const std::string &where) {
  std::vector<size_t> found;
  std::vector<std::string> names;
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    const Port &port = signature.inputs[i];
    if (port.role != Role::Input || !isInteger(port.type) ||
        port.type == ElementType::I1 || partByName(port.name))
      continue;
    if (port.name == "input_ids")
      return i;
    found.push_back(i);
    names.push_back(port.name);
  }
  if (found.empty())
    failBadInput(where + "the model has no input for tokens, which are "
                         "integers");
  if (found.size() > 1)
    failBadInput(where + "which input are the tokens: " + listed(names) + "?",
                 "call it 'input_ids' in the model");
  return found.front();
}

static void checkShape(const Port &port, int64_t length,
                       const std::string &where) {
  const bool isLast = port.role == Role::Target && port.shape.size() == 1;
  if (isLast || (port.shape.size() == 2 && port.shape[1] == length))
    return;
  std::string note;
  if (port.shape.size() == 2)
    note = "--sequence-length " + std::to_string(port.shape[1]) +
           " fits the model";
  failBadInput(where + (port.role == Role::Target ? "target " : "input ") +
                   quote(port.name) + " of the model is " +
                   longName(port.type) + describeShape(port.shape) +
                   "; windows are [N," + std::to_string(length) + "]",
               note);
}

std::vector<std::optional<WindowPart>> planWindows(const Signature &signature,
                                                   int64_t length,
                                                   const std::string &where) {
  std::vector<std::optional<WindowPart>> parts(signature.inputs.size());
  const size_t tokens = findTokens(signature, where);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Port &port = signature.inputs[i];
    if (port.role != Role::Input && port.role != Role::Target)
      continue;
    if (port.role == Role::Target && isInteger(port.type))
      parts[i] = port.shape.size() == 1 ? WindowPart::LastNext
                                        : WindowPart::NextTokens;
    else if (port.role == Role::Input)
      parts[i] = i == tokens ? WindowPart::Tokens : partByName(port.name);
    if (!parts[i])
      failBadInput(
          where + "a stream of tokens has nothing for the model's " +
              (port.role == Role::Target ? "target " : "input ") +
              quote(port.name) + ", " + longName(port.type) +
              describeShape(port.shape),
          "it has the tokens, 'attention_mask', 'position_ids', "
          "'token_type_ids' and a target of integers; for anything else write "
          "a tensor for each input");
    if (parts[i] == WindowPart::Positions && !isInteger(port.type))
      failBadInput(where + "input " + quote(port.name) + " of the model is " +
                   longName(port.type) + "; positions are integers");
    checkShape(port, length, where);
  }
  return parts;
}

TensorEntry cutWindow(const TensorEntry &stream, int64_t index,
                      int64_t length) {
  const auto width = size_t(byteWidth(stream.type));
  return {stream.type,
          {length + 1},
          stream.data + size_t(index) * size_t(length) * width,
          size_t(length + 1) * width};
}

/// Returns token `index` of the window.
static int64_t tokenAt(const TensorEntry &window, size_t index) {
  return dispatch(window.type, [&](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>) {
      T value;
      std::memcpy(&value, window.data + index * sizeof(T), sizeof(T));
      return int64_t(value);
    }
    return -1;
  });
}

void fillWindow(WindowPart part, const TensorEntry &window, Tensor &batch,
                int64_t row, const std::string &where) {
  if (part == WindowPart::Ones || part == WindowPart::Zeros) {
    fillTensor(batch, part == WindowPart::Ones ? 1 : 0);
    return;
  }
  const auto length = size_t(window.shape[0]) - 1;
  const size_t wanted = part == WindowPart::LastNext ? 1 : length;
  dispatch(batch.elementType(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>) {
      T *to = batch.as<T>() + size_t(row) * wanted;
      for (size_t i = 0; i < wanted; ++i) {
        const int64_t value = part == WindowPart::Positions ? int64_t(i)
                              : part == WindowPart::Tokens
                                  ? tokenAt(window, i)
                                  : tokenAt(window, length - wanted + 1 + i);
        to[i] = T(value);
        if (int64_t(to[i]) != value)
          failBadInput(where + ": " + std::to_string(value) +
                       " does not fit the model's " +
                       longName(batch.elementType()));
      }
    }
  });
}

} // namespace gensyn::runtime
