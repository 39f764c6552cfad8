// Cheats about the iterations of an op.

#include "Cheats.h"

#include <algorithm>

namespace gensyn::cheats {

using namespace proof;
using Made = std::optional<Lie>;

/// The entries of ops that have iterations.
static std::vector<uint64_t> findIterated(ProgramSource &program) {
  std::vector<uint64_t> found;
  const plan::EntriesResponse listed = program.listEntries({});
  for (uint64_t i = 0; i < uint64_t(listed.entries_size()); ++i) {
    const plan::EntriesResponse::Entry &entry = listed.entries(int(i));
    // The others have no regions.
    if (const std::string name = nameOf(entry);
        entry.results() == 0 ||
        (name != "repro.loop" && name != "repro.if" && name != "repro.reduce"))
      continue;
    plan::EvaluateRequest request;
    *request.mutable_text() = program.listEntries({i}).described(0).text();
    if (program.locate(request).has_iterations())
      found.push_back(i);
  }
  return found;
}

std::optional<Setting::Inner>
Setting::findInner(std::mt19937_64 *random) const {
  Inner inner;
  inner.program = honest.open(step);
  while (inner.path.size() < 4) {
    const std::vector<uint64_t> ops = findIterated(*inner.program);
    if (ops.empty() || (!inner.path.empty() && (!random || (*random)() % 2)))
      break;
    const uint64_t op = random ? ops[(*random)() % ops.size()] : ops.front();
    const plan::EntriesResponse::Entry entry =
        inner.program->listEntries({}).entries(int(op));
    const uint64_t value =
        entry.first_value() + (random ? (*random)() % entry.results() : 0);
    const uint64_t iterations = inner.program->iterate(value).size() - 1;
    if (iterations == 0)
      break;
    dispute::Iteration &at = inner.path.emplace_back();
    at.set_value(value);
    at.set_iteration(random ? 1 + (*random)() % iterations
                            : iterations / 2 + 1 - (iterations % 2 == 0));
    inner.iterations = iterations;
    inner.program = inner.program->enter(value, at.iteration());
  }
  if (inner.path.empty())
    return std::nullopt;
  return inner;
}

/// A lie in the middle of an op, which returns something that fits.
static Made
makeInner(const Setting &setting,
          const std::function<std::optional<uint64_t>(const Setting::Inner &)>
              &choose) {
  const std::optional<Setting::Inner> inner = setting.findInner(nullptr);
  if (!inner)
    return std::nullopt;
  const std::optional<uint64_t> value = choose(*inner);
  if (!value)
    return std::nullopt;
  Lie lie = setting.flip(*value, 0, 0);
  lie.path = inner->path;
  return lie;
}

static uint64_t argumentsOf(const Setting::Inner &inner) {
  return inner.program->listEntries({}).entries(0).first_value();
}

/// Of an op in the middle that is one computation.
static std::optional<uint64_t> chooseMiddle(const Setting::Inner &inner) {
  const plan::EntriesResponse listed = inner.program->listEntries({});
  const std::vector<uint64_t> iterated = findIterated(*inner.program);
  for (uint64_t i = uint64_t(listed.entries_size()) / 2;
       i < uint64_t(listed.entries_size()); ++i)
    if (!std::ranges::count(iterated, i) && listed.entries(int(i)).results())
      return listed.entries(int(i)).first_value();
  return std::nullopt;
}

/// A lie about what an op returns or carries, and not about any iteration.
static std::function<Made(const Setting &)>
aboutCarried(std::function<void(CarriedValues &)> alter) {
  return [alter](const Setting &setting) -> Made {
    const std::optional<Setting::Inner> inner = setting.findInner(nullptr);
    if (!inner)
      return std::nullopt;
    Lie lie = setting.flip(inner->path.front().value(), 0, 0);
    lie.carried = alter;
    return lie;
  };
}

/// A lie about what an op returns whose program has no values at all.
static Made aboutEmpty(const Setting &setting) {
  const std::shared_ptr<ProgramSource> step = setting.honest.open(setting.step);
  for (uint64_t i : findIterated(*step)) {
    const uint64_t value = setting.program.entries(int(i)).first_value();
    if (!step->enter(value, 1)->values().empty())
      continue;
    Lie lie = setting.flip(value, 0, 0);
    const runtime::WitnessedTensor told = [&] {
      Tensor tensor = step->value(value);
      lie.alter(tensor);
      return runtime::witnessTensor(tensor);
    }();
    lie.carried = [told](CarriedValues &carried) {
      carried.back().front() = told;
    };
    return lie;
  }
  return std::nullopt;
}

void addNestedLies(std::vector<Cheat> &cheats) {
  cheats.push_back(
      {"one-bit-in-an-iteration",
       [](const Setting &setting) { return makeInner(setting, chooseMiddle); },
       nullptr, ", and it is"});
  cheats.push_back({"another-argument-of-an-iteration",
                    [](const Setting &setting) {
                      return makeInner(setting, [](const auto &inner) {
                        return std::optional(argumentsOf(inner) - 1);
                      });
                    },
                    nullptr, "that is not its own"});
  cheats.push_back({"first-argument-of-an-iteration",
                    [](const Setting &setting) {
                      return makeInner(setting, [](const auto &) {
                        return std::optional(uint64_t(0));
                      });
                    },
                    nullptr, "that is not its own"});
  cheats.push_back({"result-of-no-iteration", aboutCarried(nullptr), nullptr,
                    "claims another result than that of the last iteration"});
  cheats.push_back({"carried-value-that-no-iteration-computed",
                    aboutCarried([](CarriedValues &carried) {
                      for (size_t i = 1; i < carried.size(); ++i)
                        carried[i].front().elements[3] ^= 4;
                    }),
                    nullptr, "has another value after the iteration"});
  cheats.push_back(
      {"one-iteration-less",
       aboutCarried([](CarriedValues &carried) { carried.pop_back(); }),
       nullptr, "iteration"});
  cheats.push_back({"one-iteration-more",
                    aboutCarried([](CarriedValues &carried) {
                      carried.push_back(carried.back());
                    }),
                    nullptr, "iteration"});
  cheats.push_back({"another-number-of-carried-values",
                    aboutCarried([](CarriedValues &carried) {
                      carried.back().push_back(carried.back().back());
                    }),
                    nullptr, "carries"});
  cheats.push_back(
      {"other-carried-values-than-claimed", aboutCarried(nullptr),
       [](const dispute::Question &question, dispute::Answer &answer) {
         if (question.iterations().with_tensors())
           (*answer.mutable_iterations()->mutable_tensors())[1] ^= 1;
         else if (answer.has_iterations() &&
                  !answer.iterations().roots().empty())
           (*answer.mutable_iterations()->mutable_roots())[1] ^= 1;
       },
       "shows other values after iteration"});
  cheats.push_back({"values-of-an-iteration-that-has-none", aboutEmpty,
                    [](const dispute::Question &, dispute::Answer &answer) {
                      if (answer.has_program())
                        (*answer.mutable_program()->mutable_values_root())[1] ^=
                            1;
                    },
                    "claims another tree than the empty one"});
  cheats.push_back({"another-constant-of-a-branch", aboutEmpty, nullptr,
                    "has another value after the iteration"});
  cheats.push_back({"claims-of-fewer-iterations", aboutCarried(nullptr),
                    [](const dispute::Question &, dispute::Answer &answer) {
                      if (answer.has_iterations())
                        answer.mutable_iterations()->clear_roots();
                    },
                    "iterations of"});
}

} // namespace gensyn::cheats
