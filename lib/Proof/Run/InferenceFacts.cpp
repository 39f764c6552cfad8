// Reads commitments to inferences, which are untrusted input.

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Numerics/Tensor.h"
#include "gensyn/Proof/Run/InferenceCommitment.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace gensyn::proof {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

enum class OptionKind { Count, Seed, Fraction, Digest, DigestOrNone };

struct OptionRule {
  const char *command;
  const char *name;
  OptionKind kind;
  /// The least count.
  int64_t least = 0;
};

/// Each command has exactly these options.
constexpr OptionRule kOptionRules[] = {
    {"infer", "seed", OptionKind::Seed},
    {"eval", "data", OptionKind::Digest},
    {"eval", "samples", OptionKind::Count, 1},
    {"eval", "batch_size", OptionKind::Count, 1},
    {"eval", "seed", OptionKind::Seed},
    {"eval", "samples_root", OptionKind::DigestOrNone},
    {"generate", "tokens", OptionKind::Count, 1},
    {"generate", "window", OptionKind::Count, 1},
    {"generate", "temperature", OptionKind::Fraction},
    {"generate", "top_k", OptionKind::Count, 0},
    {"generate", "seed", OptionKind::Seed},
};

/// Reads parts of a JSON value, each by its place: "'outputs' / 'y'".
class FactsReader {
public:
  explicit FactsReader(std::string file) : file(std::move(file)) {}

  [[noreturn]] void fail(const std::string &place, const std::string &found,
                         const std::string &expected) const {
    failBadInput(file + ": " + place + " is " + found + "; expected " +
                 expected);
  }
  [[noreturn]] void failValue(const std::string &place, const json &found,
                              const std::string &expected) const {
    fail(place, show(found), expected);
  }

  const json &at(const json &object, const char *key,
                 const std::string &place) const {
    if (!object.is_object())
      failValue(place, object, "an object");
    const auto found = object.find(key);
    if (found == object.end())
      fail(place + " / " + quote(key), "missing", "one");
    return *found;
  }
  std::string text(const json &object, const char *key,
                   const std::string &place) const {
    const json &found = at(object, key, place);
    if (!found.is_string())
      failValue(place + " / " + quote(key), found, "a text");
    return found.get<std::string>();
  }
  Digest digest(const json &object, const char *key,
                const std::string &place) const {
    const auto digest = parseDigest(text(object, key, place));
    if (!digest)
      failValue(place + " / " + quote(key), at(object, key, place),
                "64 hexadecimal digits");
    return *digest;
  }
  int64_t count(const json &value, const std::string &place,
                int64_t least) const {
    if (!value.is_number_unsigned() ||
        value.get<uint64_t>() > uint64_t(INT64_MAX) ||
        value.get<int64_t>() < least)
      failValue(place, value,
                "a whole number of at least " + std::to_string(least));
    return value.get<int64_t>();
  }

  InferenceFacts facts(std::string_view text) const;

private:
  /// The beginning of a value as JSON.
  static std::string show(const json &value) {
    if (value.is_object() || value.is_array())
      return value.is_array() ? "a list" : "an object";
    return quote(value.dump(-1, ' ', true, json::error_handler_t::replace));
  }
  void checkOption(const OptionRule &rule, const json &options) const;
  void checkOptions(const InferenceFacts &facts) const;
  void checkCommand(const InferenceFacts &facts) const;
  FactTensors tensors(const json &facts, const char *kind) const;
  FactTensor tensor(const json &row, const std::string &place) const;
  void readValues(const json &row, const std::string &place,
                  FactTensor &fact) const;

  std::string file;
};

} // namespace

void FactsReader::checkOption(const OptionRule &rule,
                              const json &options) const {
  const std::string place = "'options'";
  const json &value = at(options, rule.name, place);
  const std::string here = place + " / " + quote(rule.name);
  switch (rule.kind) {
  case OptionKind::Count:
    count(value, here, rule.least);
    break;
  case OptionKind::Seed:
    if (!value.is_number_unsigned())
      failValue(here, value, "a whole number below 2^64");
    break;
  case OptionKind::Fraction:
    if (!value.is_number() || !(value.get<double>() >= 0) ||
        !std::isfinite(value.get<double>()))
      failValue(here, value, "a number of at least 0");
    break;
  case OptionKind::DigestOrNone:
    if (value == "")
      break;
    [[fallthrough]];
  case OptionKind::Digest:
    digest(options, rule.name, place);
    break;
  }
}

void FactsReader::checkOptions(const InferenceFacts &facts) const {
  size_t known = 0;
  for (const OptionRule &rule : kOptionRules)
    if (facts.command == rule.command) {
      checkOption(rule, facts.options);
      ++known;
    }
  if (known == 0)
    fail("'command'", quote(facts.command), "infer, eval or generate");
  if (facts.options.size() != known)
    fail("'options'", std::to_string(facts.options.size()) + " options",
         std::to_string(known) + " of " + facts.command);
}

void FactsReader::readValues(const json &row, const std::string &place,
                             FactTensor &fact) const {
  const json &values = row["values"];
  const std::string here = place + " / 'values'";
  const ElementType type = fact.tensor.type;
  if (type != ElementType::I64 && type != ElementType::F64)
    fail(place + " / 'type'", quote(name(type)), "i64 or f64 where values are");
  if (!values.is_array() ||
      countElements(fact.tensor.shape) != std::optional(int64_t(values.size())))
    fail(here,
         values.is_array() ? std::to_string(values.size()) + " values"
                           : show(values),
         "as many as the shape has");
  fact.values.emplace();
  for (const json &value : values) {
    uint64_t bits = 0;
    if (type == ElementType::I64) {
      if (!value.is_number_integer() ||
          (value.is_number_unsigned() &&
           value.get<uint64_t>() > uint64_t(INT64_MAX)))
        failValue(here, value, "integers of 64 bits");
      bits = uint64_t(value.get<int64_t>());
    } else {
      const std::string digits =
          value.is_string() ? value.get<std::string>() : "";
      const char *end = digits.data() + digits.size();
      if (digits.size() != 16 ||
          std::from_chars(digits.data(), end, bits, 16).ptr != end)
        failValue(here, value, "16 hexadecimal digits each");
    }
    fact.values->push_back(bits);
  }
  Hasher hasher;
  for (uint64_t bits : *fact.values)
    hasher.updateNumber(bits);
  if (hasher.digest() != fact.tensor.elements)
    fail(place + " / 'elements'", toHex(fact.tensor.elements),
         hasher.hex() + ", which follows from the values");
}

FactTensor FactsReader::tensor(const json &row,
                               const std::string &place) const {
  FactTensor fact;
  const std::string type = text(row, "type", place);
  const auto known = elementTypeFromName(type);
  if (!known)
    fail(place + " / 'type'", quote(type), "a type of elements such as f32");
  fact.tensor.type = *known;
  const json &shape = at(row, "shape", place);
  if (!shape.is_array())
    failValue(place + " / 'shape'", shape, "a list of extents");
  for (const json &extent : shape)
    fact.tensor.shape.push_back(count(extent, place + " / 'shape'", 0));
  if (!countBytes(*known, fact.tensor.shape))
    fail(place + " / 'shape'", describeShape(fact.tensor.shape),
         "less than 2^63 bytes");
  fact.tensor.elements = digest(row, "elements", place);
  if (row.contains("values"))
    readValues(row, place, fact);
  return fact;
}

FactTensors FactsReader::tensors(const json &facts, const char *kind) const {
  const std::string place = quote(kind);
  const json &list = at(facts, kind, "'facts'");
  const Digest root = digest(list, "root", place);
  const json &rows = at(list, "tensors", place);
  if (!rows.is_object())
    failValue(place + " / 'tensors'", rows, "an object");
  FactTensors tensors;
  for (const auto &[name, row] : rows.items())
    tensors[name] = tensor(row, place + " / " + quote(name));
  const Digest found = digestTensors(kind, tensors);
  if (root != found)
    fail(place + " / 'root'", toHex(root),
         toHex(found) + ", which follows from the tensors");
  return tensors;
}

/// What the results of a command are. Repeating it and naming differences rely
/// on it.
void FactsReader::checkCommand(const InferenceFacts &facts) const {
  const size_t programs = facts.programDigests.size();
  const size_t most = facts.command == "eval" ? 2 : 1;
  if (programs < 1 || programs > most)
    fail("'program_digests'", std::to_string(programs) + " digests",
         most == 1 ? "1" : "1 or 2");
  if (facts.command == "infer")
    return;
  for (const auto &[name, fact] : facts.outputs)
    if (!fact.values)
      fail("'outputs' / " + quote(name), "without values", "them");
  if (facts.command == "eval") {
    for (const auto &[name, fact] : facts.outputs)
      if (fact.tensor.type != ElementType::F64 || !fact.tensor.shape.empty())
        fail("'outputs' / " + quote(name),
             std::string(gensyn::name(fact.tensor.type)) +
                 describeShape(fact.tensor.shape),
             "f64[]");
    return;
  }
  const auto isText = [](const FactTensors &list, const char *name) {
    const auto found = list.find(name);
    return list.size() == 1 && found != list.end() && found->second.values &&
           found->second.tensor.type == ElementType::I64 &&
           found->second.tensor.shape.size() == 1;
  };
  if (!isText(facts.inputs, "prompt"))
    fail("'inputs'", "another list", "'prompt' alone, i64[tokens] with values");
  if (!isText(facts.outputs, "tokens"))
    fail("'outputs'", "another list",
         "'tokens' alone, i64[tokens] with values");
  const std::vector<uint64_t> &prompt = *facts.inputs.at("prompt").values;
  const std::vector<uint64_t> &tokens = *facts.outputs.at("tokens").values;
  const auto wanted = facts.options.at("tokens").get<uint64_t>();
  if (prompt.empty())
    fail("'inputs' / 'prompt'", "empty", "a token at least");
  if (tokens.size() < prompt.size() || tokens.size() - prompt.size() != wanted)
    fail("'outputs' / 'tokens'", std::to_string(tokens.size()) + " tokens",
         std::to_string(prompt.size()) + " of the prompt and " +
             std::to_string(wanted));
}

InferenceFacts FactsReader::facts(std::string_view given) const {
  const json parsed = parseJson(given, file, "'facts'");
  InferenceFacts facts;
  facts.command = text(parsed, "command", "'facts'");
  const json &digests = at(parsed, "program_digests", "'facts'");
  if (!digests.is_array())
    failValue("'program_digests'", digests, "a list of digests");
  for (const json &digest : digests) {
    if (!digest.is_string())
      failValue("'program_digests'", digest, "a list of digests");
    facts.programDigests.push_back(digest.get<std::string>());
  }
  facts.numericsVersion = text(parsed, "numerics_version", "'facts'");
  facts.options = at(parsed, "options", "'facts'");
  checkOptions(facts);
  facts.state = tensors(parsed, "state");
  facts.inputs = tensors(parsed, "inputs");
  facts.outputs = tensors(parsed, "outputs");
  checkCommand(facts);
  return facts;
}

InferenceFacts parseInferenceFacts(std::string_view facts,
                                   const std::string &file) {
  return FactsReader(file).facts(facts);
}

InferenceCommitment readInferenceCommitment(const fs::path &file) {
  const FactsReader reader(file.string());
  std::error_code error;
  if (const auto bytes = fs::file_size(file, error);
      !error && bytes > kMostInferenceBytes)
    reader.fail("the commitment", std::to_string(bytes) + " bytes",
                std::to_string(kMostInferenceBytes) + " at most");
  const json parsed = parseJson(readText(file, kMostInferenceBytes),
                                file.string(), "the commitment");
  const std::string place = "the commitment";
  const json &format = reader.at(parsed, "format", place);
  if (format != kInferenceFormat)
    reader.failValue("'format'", format, quote(kInferenceFormat));
  InferenceCommitment commitment;
  commitment.facts = reader.text(parsed, "facts", place);
  commitment.root = reader.digest(parsed, "root", place);
  const Digest root = digestInference(commitment.facts);
  if (commitment.root != root)
    reader.fail("'root'", toHex(commitment.root),
                toHex(root) + ", which follows from the facts");
  return commitment;
}

} // namespace gensyn::proof
