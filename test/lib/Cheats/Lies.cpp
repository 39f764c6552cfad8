// Cheats about what was computed.

#include "Cheats.h"

#include "../../../lib/Proof/Dispute/ProgramHeader.h"

#include "gensyn/Numerics/Tensor.h"

#include <bit>
#include <cmath>
#include <limits>

namespace gensyn::cheats {

using namespace proof;

Setting::Setting(RunSource &honest, int64_t step) : honest(honest), step(step) {
  const std::shared_ptr<StepSource> source = honest.open(step);
  program = source->listEntries({});
  values = source->values();
  before = source->before();
  after = source->after();
  record = source->record();
}

std::string nameOf(const plan::EntriesResponse::Entry &entry) {
  // The number of the first value, the length of the name, the name.
  return entry.encoding().substr(16, size_t(uint8_t(entry.encoding()[8])));
}

std::optional<uint64_t> Setting::findOp(const std::string &name) const {
  for (int i = 0; i < program.entries_size(); ++i)
    if (nameOf(program.entries(i)) == name)
      return uint64_t(i);
  return std::nullopt;
}

static void flipBit(Tensor &tensor, uint64_t element, int bit) {
  const auto width = uint64_t(byteWidth(tensor.elementType()));
  tensor.data()[element * width + uint64_t(bit) / 8] ^= std::byte(1 << bit % 8);
}

Lie Setting::flip(uint64_t value, uint64_t element, int bit) const {
  Lie lie;
  lie.step = step;
  lie.value = value;
  lie.alter = [=](Tensor &tensor) { flipBit(tensor, element, bit); };
  lie.after = spoil;
  return lie;
}

Lie Setting::flipSomething() const {
  // Of an op in the middle, so that trees have two sides.
  for (uint64_t v = arguments() + (values.size() - arguments()) / 2;; ++v)
    if (!values.at(v).shape.empty() && values[v].type == ElementType::F32)
      return flip(v, 1, 3);
}

using Made = std::optional<Lie>;

Made Setting::flipSquare() const {
  std::vector<uint64_t> products;
  for (uint64_t i = 0; i < uint64_t(program.entries_size()); ++i)
    if (nameOf(program.entries(int(i))) == "repro.mul")
      products.push_back(i);
  const plan::EntriesResponse response =
      honest.open(step)->listEntries(products);
  for (const plan::EntriesResponse::Described &described : response.described())
    if (const plan::EntryText &text = described.text();
        text.operands(0).constant().empty() &&
        text.operands(1).constant().empty() &&
        text.operands(0).value() == text.operands(1).value())
      return flip(text.first_value(), 0, 3);
  return std::nullopt;
}

/// A lie about the state after the step.
static std::function<Made(const Setting &)> aboutState(
    std::function<void(const Setting &, runtime::WitnessedState &)> alter) {
  return [alter](const Setting &setting) {
    Lie lie;
    lie.step = setting.step;
    lie.after = [&setting, alter](runtime::WitnessedState &state) {
      alter(setting, state);
    };
    return lie;
  };
}

static std::function<Made(const Setting &)>
aboutRecord(std::function<void(StepSource::Record &)> alter) {
  return [alter](const Setting &setting) {
    Lie lie;
    lie.step = setting.step;
    lie.record = alter;
    return lie;
  };
}

/// One bit of an op of this name.
static std::function<Made(const Setting &)> aboutOp(std::string op, int bit) {
  return [op, bit](const Setting &setting) -> Made {
    const std::optional<uint64_t> entry = setting.findOp(op);
    if (!entry)
      return std::nullopt;
    return setting.flip(setting.program.entries(int(*entry)).first_value(), 0,
                        bit);
  };
}

/// One bit of the last element of the first argument of a role.
static std::function<Made(const Setting &)> aboutArgument(Role role) {
  return [role](const Setting &setting) -> Made {
    const auto header = readProgramHeader(setting.program.header());
    for (uint64_t v = 0; v < header->arguments.size(); ++v)
      if (header->arguments[v].role == role)
        return setting.flip(
            v, uint64_t(*countElements(header->arguments[v].shape)) - 1, 2);
    return std::nullopt;
  };
}

/// The first tensor that a step changes; names of it are the same before.
static std::string changed(const Setting &setting, const std::string &part) {
  for (const auto &[name, tensor] : setting.after)
    if (name.find(part) != name.npos &&
        tensor.elements != setting.before.at(name).elements)
      return name;
  return setting.after.begin()->first;
}

void addLies(std::vector<Cheat> &cheats) {
  const std::string state = "has another state";
  cheats.push_back({"skipped-step",
                    aboutState([](const Setting &setting, auto &after) {
                      after = setting.before;
                    }),
                    nullptr, state});
  cheats.push_back({"frozen-layer",
                    aboutState([](const Setting &setting, auto &after) {
                      const std::string name = changed(setting, "weight");
                      after[name] = setting.before.at(name);
                    }),
                    nullptr, state});
  cheats.push_back({"lazy-optimizer-state",
                    aboutState([](const Setting &setting, auto &after) {
                      const std::string name = changed(setting, ".");
                      after[name] = setting.before.at(name);
                    }),
                    nullptr, state});
  cheats.push_back({"parameters-from-elsewhere",
                    aboutState([](const Setting &, auto &after) {
                      for (auto &[name, tensor] : after)
                        tensor.elements[5] ^= 0x11;
                    }),
                    nullptr, state});
  cheats.push_back({"state-under-another-name",
                    aboutState([](const Setting &, auto &after) {
                      auto first = after.extract(after.begin());
                      first.key() += "~";
                      after.insert(std::move(first));
                    }),
                    nullptr, "in its state after the step in place of"});
  cheats.push_back({"another-tensor-in-the-state",
                    aboutState([](const Setting &, auto &after) {
                      after["zz"] = after.begin()->second;
                    }),
                    nullptr, "tensors after the step"});
  cheats.push_back({"state-of-another-shape",
                    aboutState([](const Setting &, auto &after) {
                      after.begin()->second.shape.push_back(1);
                    }),
                    nullptr, state});
  cheats.push_back({"fewer-samples",
                    aboutRecord([](StepSource::Record &record) {
                      record.samples.pop_back();
                    }),
                    nullptr, "trains on other samples"});
  cheats.push_back({"swapped-samples",
                    aboutRecord([](StepSource::Record &record) {
                      std::swap(record.samples.front(), record.samples.back());
                    }),
                    nullptr, "trains on other samples"});
  cheats.push_back({"another-program",
                    aboutRecord([](StepSource::Record &record) {
                      record.programDigest[0] ^= 1;
                    }),
                    nullptr, "runs another program"});
  cheats.push_back({"better-loss", aboutRecord([](StepSource::Record &record) {
                      record.loss = std::nextafter(record.loss, 0);
                    }),
                    nullptr, "records a loss"});
  // The factor of the gradient in the update, and the update.
  cheats.push_back(
      {"another-learning-rate", aboutOp("repro.mul", 23), nullptr, "claims"});
  cheats.push_back(
      {"one-bit-of-one-element",
       [](const Setting &setting) -> Made { return setting.flipSomething(); },
       nullptr, "claims"});
  cheats.push_back(
      {"points-where-the-other-has-none",
       [](const Setting &setting) -> Made {
         Lie lie = setting.flipSomething();
         lie.commitments = [&](RunCommitments &told) {
           const int64_t step = told.points.back().step - 1;
           const StepClaim claim = setting.honest.claims({step}).front();
           told.points.resize(1);
           told.points.push_back({step, claim.history, claim.state, {}});
         };
         return lie;
       },
       nullptr, "claims"});
  cheats.push_back({"wrong-rounding-in-one-exp", aboutOp("repro.exp", 0),
                    nullptr, "claims"});
  cheats.push_back({"wrong-rounding-in-one-contraction",
                    aboutOp("repro.contract", 0), nullptr, "claims"});
  cheats.push_back(
      {"sum-in-another-order", aboutOp("repro.reduce", 0), nullptr, "claims"});
  cheats.push_back({"another-dropout-mask", aboutOp("repro.random_bits", 7),
                    nullptr, "claims"});
  cheats.push_back(
      {"wrong-comparison", aboutOp("repro.compare", 0), nullptr, "claims"});
  cheats.push_back({"another-payload-of-nan",
                    [](const Setting &setting) -> Made {
                      Lie lie = setting.flipSomething();
                      lie.alter = [](Tensor &tensor) {
                        tensor.as<uint32_t>()[2] = 0x7fc00001;
                      };
                      return lie;
                    },
                    nullptr, "claims nan"});
  cheats.push_back({"poisoned-sample", aboutArgument(Role::Input), nullptr,
                    "of the data",
                    "gives parts of a tensor that is not the sample's"});
  cheats.push_back({"poisoned-target", aboutArgument(Role::Target), nullptr,
                    "of the data",
                    "gives parts of a tensor that is not the sample's"});
  cheats.push_back({"another-seed", aboutArgument(Role::Key), nullptr,
                    "the seed of the run is another one"});
  cheats.push_back({"another-step-number", aboutArgument(Role::Step), nullptr,
                    "the number of steps before this one"});
  cheats.push_back({"another-epoch",
                    [](const Setting &setting) -> Made {
                      const auto header =
                          readProgramHeader(setting.program.header());
                      for (uint64_t v = 0; v < header->arguments.size(); ++v)
                        if (header->arguments[v].name == runtime::kEpochState)
                          return setting.flip(v, 0, 2);
                      return std::nullopt;
                    },
                    nullptr, "the epoch is another one"});
  cheats.push_back({"another-frozen-tensor", aboutArgument(Role::Constant),
                    nullptr, "the run began with another one"});
  cheats.push_back({"parameters-that-are-not-the-state",
                    aboutArgument(Role::Parameter), nullptr,
                    "that is not its own"});
  cheats.push_back({"result-of-another-shape",
                    [](const Setting &setting) -> Made {
                      Lie lie = setting.flipSomething();
                      lie.alter = [](Tensor &tensor) {
                        std::vector<int64_t> shape = tensor.shape();
                        shape.push_back(1);
                        tensor = Tensor(tensor.elementType(), shape);
                      };
                      return lie;
                    },
                    nullptr, "another type or shape"});
}

} // namespace gensyn::cheats
