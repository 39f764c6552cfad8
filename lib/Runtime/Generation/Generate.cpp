// Generates one token at a time; each one recomputes the whole window.

#include "gensyn/Runtime/Generation/Generate.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

namespace gensyn::runtime {

Vocabulary::Vocabulary(std::string_view json, const std::string &file)
    : file(file) {
  const nlohmann::json list = parseJson(json, file, "the vocabulary");
  if (!list.is_array())
    failBadInput(file + ": the vocabulary is not a list of strings");
  for (const nlohmann::json &item : list) {
    if (!item.is_string())
      failBadInput(file + ": entry " + std::to_string(strings.size()) +
                   " of the vocabulary is not a string");
    strings.push_back(item.get<std::string>());
  }
}

std::vector<int64_t> Vocabulary::encode(std::string_view text) const {
  // Of equal strings the first wins. A vocabulary has few distinct lengths.
  std::unordered_map<std::string_view, int64_t> numbers;
  std::set<size_t, std::greater<>> lengths;
  for (size_t i = 0; i < strings.size(); ++i) {
    numbers.emplace(strings[i], int64_t(i));
    if (!strings[i].empty())
      lengths.insert(strings[i].size());
  }
  std::vector<int64_t> tokens;
  while (!text.empty()) {
    auto longest =
        std::find_if(lengths.begin(), lengths.end(), [&](size_t length) {
          return length <= text.size() &&
                 numbers.contains(text.substr(0, length));
        });
    if (longest == lengths.end())
      failBadInput(file + ": no token begins the rest of the prompt, " +
                   quote(text.substr(0, 20)));
    tokens.push_back(numbers.at(text.substr(0, *longest)));
    text.remove_prefix(*longest);
  }
  return tokens;
}

const std::string &Vocabulary::at(int64_t token) const {
  if (token < 0 || token >= int64_t(strings.size()))
    failBadInput(file + ": has " + std::to_string(strings.size()) +
                 " tokens, and number " + std::to_string(token) + " is wanted");
  return strings[size_t(token)];
}

Generator::Generator(Session &session, const std::string &model)
    : session(session), model(model) {
  for (const Port &port : session.signature().inputs) {
    if (port.role != Role::Input)
      continue;
    if (input)
      failBadInput(model + ": generating needs a model of one input, and it " +
                   "has " + quote(input->name) + " and " + quote(port.name));
    input = &port;
  }
  if (!input || !isInteger(input->type) || input->shape.size() != 2 ||
      input->shape[0] != 1 || input->shape[1] == 0)
    failBadInput(model +
                 ": generating needs an input of tokens, integers of "
                 "shape [1,length]" +
                 (input
                      ? ", and " + quote(input->name) + " is " +
                            longName(input->type) + describeShape(input->shape)
                      : ""));
  window = input->shape[1];
  const std::vector<Port> &outputs = session.signature().outputs;
  for (size_t j = 0; j < outputs.size() && output < 0; ++j)
    if (outputs[j].role == Role::Output &&
        outputs[j].type == ElementType::F32 && outputs[j].shape.size() == 3 &&
        outputs[j].shape[0] == 1 && outputs[j].shape[1] == window)
      output = int(j);
  if (output < 0)
    failBadInput(model + ": generating needs an output of logits, float32[1," +
                 std::to_string(window) + ",tokens]");
  classes = outputs[size_t(output)].shape[2];
}

void Generator::run(std::vector<int64_t> &tokens, int64_t count,
                    const SamplingOptions &options,
                    const std::function<void(int64_t)> &observer,
                    const std::atomic<bool> &stop) {
  for (int64_t token : tokens)
    if (token < 0 || token >= classes)
      failBadInput(model + ": token " + std::to_string(token) +
                   " of the prompt is none of its " + std::to_string(classes));
  for (int64_t done = 0; done < count && !stop.load(); ++done) {
    const auto seen = std::min(int64_t(tokens.size()), window);
    StepInputs inputs;
    inputs.seed = options.seed;
    Tensor &given =
        inputs.tensors.emplace(input->name, Tensor(input->type, input->shape))
            .first->second;
    dispatch(input->type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (std::is_integral_v<T>)
        for (int64_t i = 0; i < window; ++i)
          given.as<T>()[i] =
              i < seen ? T(tokens[tokens.size() - size_t(seen - i)]) : T(0);
    });
    session.run(inputs);
    const float *row =
        session.output(size_t(output)).as<float>() + (seen - 1) * classes;
    tokens.push_back(
        sampleToken({row, size_t(classes)}, options, uint64_t(tokens.size())));
    observer(tokens.back());
  }
}

} // namespace gensyn::runtime
