// See KernelProfile.h.

#include "gensyn/Runtime/Devices/KernelProfile.h"
#include "gensyn/Executable/ScheduleName.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>
#include <unordered_set>

namespace gensyn::runtime {

void KernelTime::add(const KernelTime &other) {
  launches += other.launches;
  seconds += other.seconds;
  flops += other.flops;
  bytes += other.bytes;
}

KernelProfile::Entry &KernelProfile::entry(const std::string &kernel) {
  auto [found, isNew] = known.try_emplace(kernel, entries.size());
  if (isNew)
    entries.emplace_back().time.kernel = kernel;
  return entries[found->second];
}

static void addOnce(std::vector<std::string> &names, const std::string &name) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(name);
}

void KernelProfile::addLaunch(const plan::Plan &plan, int number,
                              double seconds) {
  if (wantsSpans) {
    timesOfLaunches.resize(size_t(plan.launches_size()));
    ++timesOfLaunches[size_t(number)].count;
    timesOfLaunches[size_t(number)].seconds += seconds;
  }
  const plan::Launch &launch = plan.launches(number);
  Entry &entry = this->entry(launch.kernel());
  entry.time.schedule = launch.schedule();
  ++entry.time.launches;
  entry.time.seconds += seconds;
  entry.time.flops += double(launch.flops());
  std::unordered_set<uint32_t> buffers(launch.buffers().begin(),
                                       launch.buffers().end());
  for (uint32_t buffer : buffers)
    entry.time.bytes += double(plan.buffers(int(buffer)).bytes());
  addOnce(entry.nodes, launch.operation());
  if (!launch.source_kernel().empty())
    addOnce(entry.time.sourceKernels, launch.source_kernel());
}

void KernelProfile::addCopies(const std::string &kind, int64_t count,
                              uint64_t bytes, double seconds) {
  KernelTime &time = entry(kind).time;
  time.isCopy = true;
  time.launches += count;
  time.seconds += seconds;
  time.bytes += double(bytes);
}

void KernelProfile::addRun(double seconds) {
  ++numRuns;
  secondsOfRuns += seconds;
}

std::vector<KernelTime> KernelProfile::kernels() const {
  std::vector<KernelTime> result;
  for (const Entry &entry : entries) {
    KernelTime time = entry.time;
    if (!entry.nodes.empty())
      time.operations = entry.nodes.front();
    if (entry.nodes.size() > 1)
      time.operations +=
          " and " + std::to_string(entry.nodes.size() - 1) + " more";
    result.push_back(std::move(time));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const KernelTime &a, const KernelTime &b) {
                     return a.seconds > b.seconds;
                   });
  return result;
}

double KernelProfile::baselineSeconds() const {
  double seconds = 0;
  for (const Entry &entry : entries)
    if (entry.time.schedule == kBaselineSchedule)
      seconds += entry.time.seconds;
  return seconds;
}

static std::string padded(const std::string &text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text
                             : text;
}

std::vector<std::string> KernelProfile::lines() const {
  std::vector<KernelTime> times = kernels();
  KernelTime inKernels, inCopies;
  for (const KernelTime &time : times)
    (time.isCopy ? inCopies : inKernels).add(time);
  const auto runs = double(std::max<int64_t>(numRuns, 1));
  const double total = std::max(secondsOfRuns, 1e-12);
  auto line = [&](const KernelTime &time) {
    auto rate = [&](double amount) {
      return amount > 0 && time.seconds > 0
                 ? fixedText(amount / time.seconds * 1e-9, 1)
                 : std::string("-");
    };
    return padded(fixedText(time.seconds / total * 100, 1), 6) + " % " +
           padded(fixedText(time.seconds / runs * 1e6, 1), 10) + " " +
           padded(shortText(double(time.launches) / runs, 4), 8) + " " +
           padded(rate(time.flops), 8) + " " + padded(rate(time.bytes), 8) +
           "  " + time.kernel +
           (time.schedule.empty() ? "" : ", " + time.schedule) +
           (time.operations.empty() ? "" : ", " + time.operations);
  };
  std::vector<std::string> result = {
      "profile    " + std::to_string(numRuns) + " runs, " +
          fixedText(secondsOfRuns / runs * 1e6, 1) + " us each, " +
          fixedText(inKernels.seconds / total * 100, 1) + " % in kernels, " +
          (inCopies.launches
               ? fixedText(inCopies.seconds / total * 100, 1) + " % in copies, "
               : "") +
          fixedText(baselineSeconds() / total * 100, 1) +
          " % by the baseline schedule",
      "   share    us a run launches  Gflop/s     GB/s  kernel, schedule, "
      "node"};
  KernelTime rest;
  size_t few = 0;
  for (const KernelTime &time : times) {
    if (time.isCopy || time.seconds >= total * 1e-3) {
      result.push_back(line(time));
      continue;
    }
    ++few;
    rest.add(time);
  }
  if (few) {
    rest.kernel = std::to_string(few) + " more kernels";
    result.push_back(line(rest));
  }
  return result;
}

OrderedJson KernelProfile::describe() const {
  OrderedJson list = OrderedJson::array();
  for (const KernelTime &time : kernels()) {
    OrderedJson row{{"kernel", time.kernel},
                    {"schedule", time.schedule},
                    {"operations", time.operations},
                    {"launches", time.launches},
                    {"seconds", time.seconds},
                    {"flops", time.flops},
                    {"bytes", time.bytes}};
    if (!time.isCopy)
      row["source_kernels"] = time.sourceKernels;
    list.push_back(std::move(row));
  }
  return {{"runs", numRuns},
          {"seconds", secondsOfRuns},
          {"baseline_seconds", baselineSeconds()},
          {"kernels", std::move(list)}};
}

} // namespace gensyn::runtime
