// What each thread did in a run, and how fast kernels are.

#include "Sections.h"

#include "gensyn/Executable/Html/Html.h"
#include "gensyn/Executable/Support/Nouns.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace gensyn::runtime {

namespace report {

using nlohmann::json;

/// Nanoseconds.
static int64_t whole(double seconds) { return std::llround(seconds * 1e9); }

/// The totals of a kernel of the program over all of its launches.
struct SourceKernelTime {
  std::string name, node, schedule;
  int64_t launches = 0;
  double seconds = 0, flops = 0, bytes = 0;
};

/// The kernels that were run, slowest first. Node and schedule are those of the
/// launch that has most of the operations.
static std::vector<SourceKernelTime> sumKernels(const plan::Plan &plan,
                                                const KernelProfile &profile) {
  std::vector<SourceKernelTime> kernels;
  std::map<std::string, std::pair<size_t, uint64_t>> known;
  for (size_t i = 0; i < profile.launches().size(); ++i) {
    const LaunchTime &time = profile.launches()[i];
    if (time.count == 0)
      continue;
    const plan::Launch &launch = plan.launches(int(i));
    auto [found, isNew] =
        known.try_emplace(nameLaunch(launch), kernels.size(), launch.flops());
    if (isNew)
      kernels.emplace_back().name = nameLaunch(launch);
    auto &[number, mostFlops] = found->second;
    SourceKernelTime &kernel = kernels[number];
    if (isNew || launch.flops() >= mostFlops) {
      kernel.node = launch.operation();
      kernel.schedule = launch.schedule();
      mostFlops = launch.flops();
    }
    kernel.launches += time.count;
    kernel.seconds += time.seconds;
    kernel.flops += double(launch.flops()) * double(time.count);
    const std::set<uint32_t> buffers(launch.buffers().begin(),
                                     launch.buffers().end());
    for (uint32_t buffer : buffers)
      kernel.bytes +=
          double(plan.buffers(int(buffer)).bytes()) * double(time.count);
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const SourceKernelTime &a, const SourceKernelTime &b) {
                     return a.seconds > b.seconds;
                   });
  return kernels;
}

OrderedJson describeTime(const MeasuredRuns &measured, const json &info) {
  const plan::Plan &plan = measured.executable->plan();
  const std::vector<Phase> phases = findLaunchPhases(plan, info);
  OrderedJson launches = OrderedJson::array(), spans = launches,
              kernels = launches;
  for (int i = 0; i < plan.launches_size(); ++i) {
    const plan::Launch &launch = plan.launches(i);
    launches.push_back({nameLaunch(launch), launch.operation(),
                        nameOf(phases[size_t(i)]), launch.schedule()});
  }
  for (const ThreadSpan &span : measured.profile.spans())
    spans.push_back({span.launch, span.thread, whole(span.begin),
                     whole(span.end - span.begin)});
  const auto runs = double(std::max<int64_t>(1, measured.profile.runs()));
  for (const SourceKernelTime &time : sumKernels(plan, measured.profile))
    kernels.push_back({{"kernel", time.name},
                       {"node", time.node},
                       {"schedule", time.schedule},
                       {"launches", double(time.launches) / runs},
                       {"seconds", time.seconds / runs},
                       {"flops", time.flops / runs},
                       {"bytes", time.bytes / runs}});
  return {{"threads", measured.threads},
          {"runs", measured.profile.runs()},
          {"seconds", measured.profile.runSeconds() / runs},
          {"launches", launches},
          {"spans", spans},
          {"kernels", kernels}};
}

static std::string rate(double amount, double seconds) {
  return "<td class=\"r\">" +
         (amount > 0 && seconds > 0 ? fixedText(amount / seconds * 1e-9, 1)
                                    : std::string("-")) +
         "</td>";
}

static std::string makeSlowest(const OrderedJson &time) {
  constexpr size_t most = 15;
  const double all = std::max(time["seconds"].get<double>(), 1e-12);
  std::string rows;
  for (size_t i = 0; i < std::min(most, time["kernels"].size()); ++i) {
    const OrderedJson &kernel = time["kernels"][i];
    const auto seconds = kernel["seconds"].get<double>();
    rows += "<tr><td class=\"r\">" + fixedText(seconds / all * 100, 1) +
            " %</td><td class=\"r\">" + fixedText(seconds * 1e6, 1) + "</td>" +
            rate(kernel["flops"].get<double>(), seconds) +
            rate(kernel["bytes"].get<double>(), seconds) +
            "<td class=\"kernelLink\">" +
            html::escape(kernel["kernel"].get<std::string>()) + "</td>" +
            html::cell(kernel["schedule"].get<std::string>()) +
            html::cell(kernel["node"].get<std::string>()) + "</tr>";
  }
  return "<div class=\"wide\"><table>" +
         html::headRow({"#share", "#us a run", "#Gflop/s", "#GB/s", "kernel",
                        "schedule", "node"}) +
         rows + "</table></div>";
}

std::string makeTime(const OrderedJson &time) {
  return html::section(
      "time", "Time of a run",
      "<p>Measured here, on " +
          countOf(time["threads"].get<int64_t>(), "thread") +
          ", with random "
          "inputs: " +
          fixedText(time["seconds"].get<double>() * 1e3, 3) +
          " ms a run, the mean of " +
          countOf(time["runs"].get<int64_t>(), "run") +
          ". The chart shows the last one. A bar is the time from the first "
          "tile of a launch that a thread ran to the last.</p>"
          "<figure class=\"chart threadChart\"></figure>"
          "<h3>Roofline</h3><p>A point is a kernel: how many operations it "
          "does for each byte of its operands and results, and how many a "
          "second. The lines are the highest rates of operations and of bytes "
          "that any of these kernels reached in these runs, not limits of the "
          "processor. Kernels below a thousandth of the time are left "
          "out.</p>"
          "<figure class=\"chart roofChart\"></figure>"
          "<h3>Kernels that take the most time</h3>" +
          makeSlowest(time));
}

} // namespace report

std::string makeTrace(const MeasuredRuns &measured) {
  using report::nameLaunch;
  const plan::Plan &plan = measured.executable->plan();
  std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  auto add = [&, isFirst = true](const OrderedJson &event) mutable {
    text += (isFirst ? "" : ",\n") + printJson(event);
    isFirst = false;
  };
  for (unsigned thread = 0; thread < measured.threads; ++thread)
    add({{"ph", "M"},
         {"name", "thread_name"},
         {"pid", 0},
         {"tid", thread},
         {"args", {{"name", "thread " + std::to_string(thread)}}}});
  for (const ThreadSpan &span : measured.profile.spans()) {
    const plan::Launch &launch = plan.launches(span.launch);
    add({{"ph", "X"},
         {"name",
          launch.operation().empty() ? nameLaunch(launch) : launch.operation()},
         {"cat", launch.schedule()},
         {"pid", 0},
         {"tid", span.thread},
         // Microseconds.
         {"ts", span.begin * 1e6},
         {"dur", (span.end - span.begin) * 1e6},
         {"args",
          {{"kernel", nameLaunch(launch)},
           {"symbol", launch.kernel()},
           {"launch", span.launch},
           {"flops", launch.flops()}}}});
  }
  return text + "\n]}\n";
}

} // namespace gensyn::runtime
