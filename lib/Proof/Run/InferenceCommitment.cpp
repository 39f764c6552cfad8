// See InferenceCommitment.h; InferenceFacts.cpp parses what this writes.

#include "gensyn/Proof/Run/InferenceCommitment.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Proof/Trees/ListTree.h"

#include <cstring>

namespace gensyn::proof {

namespace fs = std::filesystem;

Digest digestTensors(const std::string &kind, const FactTensors &tensors) {
  ListTree tree(kind);
  for (const auto &[name, fact] : tensors)
    tree.add(Encoding().text(name).digest(digestTensor(fact.tensor)).bytes());
  return tree.root();
}

Digest digestInference(std::string_view facts) {
  return Encoding("gensyn inference 1").text(facts).finish();
}

/// The digits of 64 bits, from the highest on.
static std::string toDigits(uint64_t bits) {
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4)
    digits += "0123456789abcdef"[bits >> shift & 15];
  return digits;
}

static FactTensors hashTensors(const TensorMap &tensors, bool areWritten) {
  FactTensors facts;
  for (const auto &[name, tensor] : tensors) {
    FactTensor &fact = facts[name];
    fact.tensor = runtime::witnessTensor(tensor);
    if (!areWritten)
      continue;
    fact.values.emplace(size_t(tensor.numElements()));
    std::memcpy(fact.values->data(), tensor.data(), size_t(tensor.byteSize()));
  }
  return facts;
}

static OrderedJson listTensors(const std::string &kind,
                               const FactTensors &tensors) {
  OrderedJson list = OrderedJson::object();
  for (const auto &[name, fact] : tensors) {
    OrderedJson &row = list[name];
    row = {{"type", gensyn::name(fact.tensor.type)},
           {"shape", fact.tensor.shape},
           {"elements", toHex(fact.tensor.elements)}};
    if (!fact.values)
      continue;
    OrderedJson &values = row["values"] = OrderedJson::array();
    for (uint64_t bits : *fact.values)
      if (fact.tensor.type == ElementType::F64)
        values.push_back(toDigits(bits));
      else
        values.push_back(int64_t(bits));
  }
  return {{"root", toHex(digestTensors(kind, tensors))}, {"tensors", list}};
}

InferenceCommitment commitTo(const runtime::WitnessedInference &inference) {
  OrderedJson options = inference.options;
  if (inference.command == "eval") {
    options["samples_root"] = "";
    if (inference.visitSamples) {
      ListTree samples("samples");
      inference.visitSamples([&](const runtime::WitnessedState &sample) {
        samples.add(encodeSample(sample));
      });
      options["samples_root"] = toHex(samples.root());
    }
  }
  FactTensors state;
  for (const auto &[name, tensor] : inference.state)
    state[name] = {tensor, std::nullopt};
  InferenceCommitment commitment;
  commitment.facts = printJson(
      {{"command", inference.command},
       {"program_digests", inference.programDigests},
       {"numerics_version", inference.numericsVersion},
       {"options", options},
       {"state", listTensors("state", state)},
       {"inputs",
        listTensors("inputs",
                    hashTensors(inference.inputs, inference.areValuesWritten))},
       {"outputs",
        listTensors("outputs", hashTensors(inference.outputs,
                                           inference.areValuesWritten))}});
  commitment.root = digestInference(commitment.facts);
  return commitment;
}

void writeInferenceCommitment(const fs::path &path,
                              const InferenceCommitment &commitment) {
  const std::string text = printJson({{"format", kInferenceFormat},
                                      {"facts", commitment.facts},
                                      {"root", toHex(commitment.root)}}) +
                           "\n";
  if (text.size() > kMostInferenceBytes)
    failUnsupported(path.string() + ": the commitment has " +
                    std::to_string(text.size()) + " bytes, and at most " +
                    std::to_string(kMostInferenceBytes) + " are read");
  writeText(path, text);
}

} // namespace gensyn::proof
