// See Autotune.h.

#include "Autotune.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Session.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>

namespace gensyn::runtime {

/// The times of a program with certain schedules: minima over its runs.
struct Tuner::Times {
  std::map<std::string, double> kernels; ///< by name
  double run = std::numeric_limits<double>::infinity();
  std::string digest; ///< of the results of the first runs

  void takeMinimum(const Times &other) {
    run = std::min(run, other.run);
    for (const auto &[name, seconds] : other.kernels)
      kernels[name] = std::min(kernels.at(name), seconds);
  }
};

namespace {

/// Runs before times are taken, after which programs must agree, and the number
/// and total seconds of those that are timed.
constexpr int kFirstRuns = 2, kFewestRuns = 5, kMostRuns = 30;
constexpr double kEnoughSeconds = 1.0;

/// Of the time with the compiler's own schedule: what an alternative may take.
constexpr double kMostOfOwn = 0.98;

/// Returns the digest of all results of the last run.
std::string digestResults(Session &session, const ParameterStore &store) {
  const Signature &signature = session.signature();
  TensorDigest digest;
  for (size_t i = 0; i < signature.outputs.size(); ++i) {
    const int input = signature.donated[i];
    digest.add(signature.outputs[i].name,
               input < 0 ? session.output(i)
                         : store.at(signature.inputs[size_t(input)].name));
  }
  return digest.hex();
}

/// Returns the kernel that each launch belongs to, by name; empty for kernels
/// without alternatives.
std::vector<std::string> nameLaunches(const plan::Executable &listed,
                                      const plan::Plan &plan) {
  std::map<std::string, std::string> names;
  for (const plan::KernelSchedules &entry : listed.schedules())
    for (const std::string &kernel : entry.kernels())
      names[kernel] = entry.name();
  std::vector<std::string> result;
  for (const plan::Launch &launch : plan.launches()) {
    const auto found = names.find(launch.source_kernel());
    result.push_back(found == names.end() ? "" : found->second);
  }
  return result;
}

/// A kernel and the schedules that it may have besides the compiler's own.
struct Candidate {
  explicit Candidate(const plan::KernelSchedules &entry) : name(entry.name()) {
    for (const std::string &text : entry.alternatives())
      alternatives.push_back(parseScheduleFields(text, "the compiler"));
  }
  bool allows(const ScheduleFields &fields) const {
    return fields.empty() || std::find(alternatives.begin(), alternatives.end(),
                                       fields) != alternatives.end();
  }

  std::string name;
  std::vector<ScheduleFields> alternatives;
};

} // namespace

Tuner::Times
Tuner::measure(const plan::Executable &listed,
               const std::shared_ptr<const plan::Executable> &program) {
  const std::vector<std::string> launches =
      nameLaunches(listed, program->plan());
  KernelProfile profile;
  const std::unique_ptr<Device> device = makeDevice(&profile);
  ParameterStore store;
  Session session(device->load(program), store);
  StepInputs inputs;
  inputs.tensors = makeInputs(session.signature());
  Times times;
  double total = 0;
  for (int run = 0; run < kFirstRuns + kFewestRuns ||
                    (run < kFirstRuns + kMostRuns && total < kEnoughSeconds);
       ++run, ++inputs.step) {
    profile.clear();
    profile.keepSpans();
    session.run(inputs);
    if (run + 1 == kFirstRuns)
      times.digest = digestResults(session, store);
    if (run < kFirstRuns)
      continue;
    Times now;
    now.run = profile.runSeconds();
    for (const plan::KernelSchedules &entry : listed.schedules())
      now.kernels[entry.name()] = 0;
    for (size_t i = 0; i < profile.launches().size(); ++i)
      if (!launches[i].empty())
        now.kernels[launches[i]] += profile.launches()[i].seconds;
    if (run == kFirstRuns)
      times.kernels = now.kernels;
    times.takeMinimum(now);
    total += now.run;
  }
  return times;
}

Tuning Tuner::tune(const KernelSchedules &known) {
  const std::shared_ptr<const plan::Executable> listed =
      compile({}, /*listsAlternatives=*/true);
  Tuning tuning;
  std::vector<Candidate> open;
  size_t rounds = 0;
  for (const plan::KernelSchedules &entry : listed->schedules()) {
    Candidate candidate(entry);
    const auto found = known.find(entry.name());
    if (found != known.end() && candidate.allows(found->second)) {
      tuning.schedules[entry.name()] = found->second;
      continue;
    }
    rounds = std::max(rounds, candidate.alternatives.size());
    open.push_back(std::move(candidate));
  }
  tuning.timed = open.size();
  if (open.empty())
    return tuning;
  auto measureWith = [&](const KernelSchedules &changed) {
    KernelSchedules all = tuning.schedules;
    all.insert(changed.begin(), changed.end());
    return measure(*listed, compile(all, /*listsAlternatives=*/false));
  };
  Times own = measureWith({});
  auto measureOther = [&](const KernelSchedules &changed) {
    Times times = measureWith(changed);
    if (times.digest != own.digest)
      throw Failure(ExitCode::Bug,
                    model + ": the program has other results with other sizes "
                            "of its kernels, which no size may change",
                    "please report it; without --autotune the compiler's own "
                    "sizes are used");
    return times;
  };
  KernelSchedules chosen;
  std::map<std::string, double> least = own.kernels;
  for (size_t round = 0; round < rounds; ++round) {
    KernelSchedules changed;
    for (const Candidate &candidate : open)
      if (round < candidate.alternatives.size())
        changed[candidate.name] = candidate.alternatives[round];
    const Times times = measureOther(changed);
    for (const auto &[name, fields] : changed)
      if (const double seconds = times.kernels.at(name);
          seconds < least.at(name) &&
          seconds <= own.kernels.at(name) * kMostOfOwn) {
        least[name] = seconds;
        chosen[name] = fields;
      }
  }
  tuning.before = tuning.after = own.run;
  if (!chosen.empty()) {
    const Times again = measureOther(chosen);
    own.takeMinimum(measureOther({}));
    std::erase_if(chosen, [&](const auto &choice) {
      return again.kernels.at(choice.first) >
             own.kernels.at(choice.first) * kMostOfOwn;
    });
    // Kernels may have gained what others lost.
    if (again.run >= own.run)
      chosen.clear();
    tuning.before = own.run;
    tuning.after = chosen.empty() ? own.run : again.run;
  }
  tuning.changed = chosen.size();
  tuning.schedules.merge(chosen);
  for (const Candidate &candidate : open)
    tuning.schedules.try_emplace(candidate.name);
  return tuning;
}

} // namespace gensyn::runtime
