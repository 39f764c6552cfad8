// Checks a file's tensors against the ports of a program.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Devices/Session.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace gensyn::runtime {

/// Returns "[N,1,8,8]" if the first extent is free.
static std::string describeWanted(const std::vector<int64_t> &shape,
                                  bool anyBatch) {
  std::string text = describeShape(shape);
  if (!anyBatch || shape.empty())
    return text;
  size_t end = text.find_first_of(",]");
  return "[N" + text.substr(end);
}

static bool shapesAgree(const std::vector<int64_t> &found,
                        const std::vector<int64_t> &wanted, bool anyBatch) {
  size_t first = anyBatch && !wanted.empty() ? 1 : 0;
  return found.size() == wanted.size() &&
         std::equal(found.begin() + first, found.end(), wanted.begin() + first);
}

/// Throws a Failure if tensors have different numbers of rows. A fixed mask, or
/// class scores along the first dimension, are not batched.
static void checkBatch(const std::string &where, const Signature &signature) {
  const Port *first = nullptr;
  for (const Port &port : signature.inputs) {
    if (port.role != Role::Input && port.role != Role::Target)
      continue;
    if (!first)
      first = &port;
    auto rows = [](const Port &p) { return p.shape.empty() ? 1 : p.shape[0]; };
    if (rows(port) != rows(*first) || port.shape.empty())
      failBadInput(where + "the model takes " + quote(first->name) + " as " +
                       describeShape(first->shape) + " and " +
                       quote(port.name) + " as " + describeShape(port.shape),
                   "the first dimension of each has to be the batch");
  }
}

void checkTensors(const TensorFile &file, const Signature &signature,
                  bool anyBatch) {
  std::string where = file.path().string() + ": ";
  std::vector<std::string> wanted;
  bool hasTarget = false;
  for (const Port &port : signature.inputs) {
    bool isTarget = port.role == Role::Target;
    if (port.role != Role::Input && !isTarget)
      continue;
    hasTarget |= isTarget;
    wanted.push_back(port.name);
    std::string noun = isTarget ? "target " : "input ";
    const TensorEntry *entry = file.find(port.name);
    if (!entry)
      failBadInput(
          where + "no tensor for the model's " + noun + quote(port.name) +
          (file.entries().empty() ? "; the file is empty"
                                  : "; the file has " + listed(file.names())));
    if (entry->type != port.type)
      failBadInput(where + noun + quote(port.name) + " is " +
                   longName(entry->type) + "; the model wants " +
                   longName(port.type));
    if (!shapesAgree(entry->shape, port.shape, anyBatch))
      failBadInput(where + noun + quote(port.name) + " is " +
                   describeShape(entry->shape) + "; the model wants " +
                   describeWanted(port.shape, anyBatch));
  }
  if (anyBatch)
    checkBatch(where, signature);
  for (const std::string &name : file.names()) {
    // Files for training may be used for inference too.
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end() ||
        (!hasTarget && name == "target"))
      continue;
    failBadInput(where + quote(name) +
                 " is not an input of the model; its inputs " +
                 (hasTarget ? "and target " : "") + "are " + listed(wanted));
  }
}

void checkClassesIn(const std::string &what, ElementType type,
                    std::span<const uint8_t> bytes, int64_t classes,
                    std::optional<int64_t> ignored) {
  dispatch(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T>) {
      for (size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        // Compared as unsigned 64-bit words, so that negative and large
        // unsigned values are out of range.
        auto word = static_cast<uint64_t>(value);
        if (word < uint64_t(classes) || (ignored && word == uint64_t(*ignored)))
          continue;
        failBadInput(what + ": element " + std::to_string(i) + " is " +
                     std::to_string(value) + "; the model has classes 0 to " +
                     std::to_string(classes - 1));
      }
    }
  });
}

void checkClasses(const TensorFile &file, const std::string &target,
                  int64_t classes, std::optional<int64_t> ignored) {
  if (const TensorEntry *entry = file.find(target))
    checkClassesIn(file.path().string() + ": target " + quote(target),
                   entry->type, {entry->data, entry->size}, classes, ignored);
}

} // namespace gensyn::runtime
