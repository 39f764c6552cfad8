// Names the first part of an inference that is not as committed to.

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Run/CheckInference.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <bit>

namespace gensyn::proof {

static std::string describeFact(const FactTensor &fact) {
  if (fact.values && fact.tensor.type == ElementType::F64 &&
      fact.values->size() == 1) {
    const uint64_t bits = fact.values->front();
    std::string digits(16, '0');
    for (int i = 0; i < 16; ++i)
      digits[size_t(i)] = "0123456789abcdef"[bits >> (60 - 4 * i) & 15];
    return runtime::shortText(std::bit_cast<double>(bits), 17) + " (0x" +
           digits + ")";
  }
  return longName(fact.tensor.type) + describeShape(fact.tensor.shape) + " " +
         toHex(fact.tensor.elements);
}

/// The first place where two lists of tokens differ.
static std::string compareTokens(const std::vector<uint64_t> &committed,
                                 const std::vector<uint64_t> &repeated) {
  for (size_t i = 0; i < committed.size() && i < repeated.size(); ++i)
    if (committed[i] != repeated[i])
      return "the token at position " + std::to_string(i) + ": " +
             std::to_string(int64_t(repeated[i])) + " instead of " +
             std::to_string(int64_t(committed[i]));
  return std::to_string(repeated.size()) + " tokens instead of " +
         std::to_string(committed.size());
}

static bool isEqual(const FactTensor &a, const FactTensor &b) {
  return a.tensor.type == b.tensor.type && a.tensor.shape == b.tensor.shape &&
         a.tensor.elements == b.tensor.elements;
}

/// `noun` is what a tensor of the lists is: "input".
static std::string compareTensors(const std::string &noun,
                                  const FactTensors &committed,
                                  const FactTensors &repeated) {
  for (const auto &[name, fact] : committed) {
    const std::string what = noun + " " + quote(name);
    const auto found = repeated.find(name);
    if (found == repeated.end())
      return what + " does not exist";
    if (isEqual(fact, found->second))
      continue;
    if (fact.values && found->second.values &&
        fact.tensor.type == ElementType::I64 &&
        found->second.tensor.type == ElementType::I64)
      return compareTokens(*fact.values, *found->second.values);
    return what + ": " + describeFact(found->second) + " instead of " +
           describeFact(fact);
  }
  for (const auto &[name, fact] : repeated)
    if (!committed.contains(name))
      return noun + " " + quote(name) + " is not committed to";
  return "";
}

static std::string compareOptions(const nlohmann::json &committed,
                                  const nlohmann::json &repeated) {
  const auto show = [](const nlohmann::json &value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const auto &[name, value] : committed.items()) {
    const auto found = repeated.find(name);
    if (found == repeated.end() || *found != value)
      return name + ": " +
             (found == repeated.end() ? "nothing" : show(*found)) +
             " instead of " + show(value);
  }
  return "";
}

static std::string comparePrograms(const InferenceFacts &committed,
                                   const InferenceFacts &repeated) {
  if (committed.numericsVersion != repeated.numericsVersion)
    return "numerics version " + quote(repeated.numericsVersion) +
           " instead of " + quote(committed.numericsVersion);
  if (committed.programDigests == repeated.programDigests)
    return "";
  const auto list = [](const std::vector<std::string> &digests) {
    std::string text;
    for (const std::string &digest : digests)
      text += (text.empty() ? "" : " and ") + quote(digest);
    return text;
  };
  return "another program: " + list(repeated.programDigests) + " instead of " +
         list(committed.programDigests);
}

std::vector<InferencePart> compareInference(const InferenceFacts &committed,
                                            const InferenceFacts &repeated) {
  // Other inputs can make another program, so they come first; and outputs
  // follow from all others.
  std::vector<InferencePart> parts;
  const auto add = [&](const char *name, std::string problem) {
    if (parts.empty() || parts.back().problem.empty())
      parts.push_back({name, std::move(problem)});
  };
  add("options",
      committed.command != repeated.command
          ? quote(repeated.command) + " instead of " + quote(committed.command)
          : compareOptions(committed.options, repeated.options));
  add("inputs", compareTensors("input", committed.inputs, repeated.inputs));
  add("program", comparePrograms(committed, repeated));
  add("state", compareTensors("tensor", committed.state, repeated.state));
  add("outputs",
      compareTensors(committed.command == "eval" ? "metric" : "output",
                     committed.outputs, repeated.outputs));
  return parts;
}

} // namespace gensyn::proof
