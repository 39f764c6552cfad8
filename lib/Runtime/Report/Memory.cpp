// The arena over the launches of a run.

#include "Sections.h"

#include "gensyn/Executable/Html/Html.h"
#include "gensyn/Executable/Packages/MemoryStats.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <map>

namespace gensyn::runtime::report {

using nlohmann::json;

namespace {

/// The life of a buffer: the first and the last launch that names it, by
/// position in a run.
struct Life {
  int first = -1, last = -1;
};

/// Walks the steps of a plan in order, loops and both sides of branches once.
class Lives {
public:
  explicit Lives(const plan::Plan &plan)
      : lives(size_t(plan.buffers_size())), plan(plan) {
    if (plan.steps().empty()) {
      for (int i = 0; i < plan.launches_size(); ++i)
        if (!plan.launches(i).prepares())
          addLaunch(uint32_t(i));
    } else {
      walk(plan.steps());
    }
  }

  std::vector<Life> lives;
  std::vector<uint32_t> launches; ///< by position

private:
  void use(uint32_t buffer) {
    if (buffer >= lives.size())
      return;
    const int now = std::max(0, int(launches.size()) - 1);
    Life &life = lives[buffer];
    if (life.first < 0)
      life.first = now;
    life.last = now;
  }
  void addLaunch(uint32_t launch) {
    if (launch >= uint32_t(plan.launches_size()))
      return;
    launches.push_back(launch);
    for (uint32_t buffer : plan.launches(int(launch)).buffers())
      use(buffer);
  }
  void walk(const google::protobuf::RepeatedPtrField<plan::Step> &steps);
  void walkLoop(const plan::Step::Loop &loop);

  const plan::Plan &plan;
};

} // namespace

void Lives::walkLoop(const plan::Step::Loop &loop) {
  const std::vector<Life> before = lives;
  const int start = int(launches.size());
  walk(loop.body());
  const int end = std::max(start, int(launches.size()) - 1);
  // The counter and the carried values live in the whole loop.
  std::vector<uint32_t> carried = {loop.index()};
  for (const plan::Step::Carry &carry : loop.carries()) {
    carried.push_back(carry.current());
    carried.push_back(carry.next());
  }
  for (uint32_t buffer : carried)
    use(buffer);
  // What lives when the loop starts and is named in it lives to its end, since
  // the next iteration names it again.
  for (size_t i = 0; i < lives.size(); ++i)
    if (before[i].first >= 0 && lives[i].last >= start)
      lives[i].last = end;
  for (uint32_t buffer : carried)
    if (buffer < lives.size()) {
      lives[buffer].first = std::min(lives[buffer].first, start);
      lives[buffer].last = end;
    }
}

void Lives::walk(const google::protobuf::RepeatedPtrField<plan::Step> &steps) {
  for (const plan::Step &step : steps)
    switch (step.kind_case()) {
    case plan::Step::kLaunch:
      addLaunch(step.launch());
      break;
    case plan::Step::kCopy:
      use(step.copy().from());
      use(step.copy().to());
      break;
    case plan::Step::kCheck:
      use(step.check().ok());
      break;
    case plan::Step::kBranch:
      use(step.branch().predicate());
      walk(step.branch().then_steps());
      walk(step.branch().else_steps());
      break;
    case plan::Step::kLoop:
      walkLoop(step.loop());
      break;
    case plan::Step::KIND_NOT_SET:
      break;
    }
}

namespace {

/// The length of the union of intervals that come and go: a segment tree over
/// their ends.
class Coverage {
public:
  explicit Coverage(std::vector<uint64_t> intervalEnds)
      : ends(std::move(intervalEnds)) {
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    nodes.resize(4 * ends.size());
  }

  /// Adds an interval, or removes it if `change` is -1.
  void add(uint64_t first, uint64_t end, int change) {
    if (first < end)
      add(1, 0, ends.size() - 1, numberOf(first), numberOf(end), change);
  }
  uint64_t length() const { return nodes.empty() ? 0 : nodes[1].length; }

private:
  struct Node {
    int intervals = 0; ///< that cover all of the node, but not its parent
    uint64_t length = 0;
  };

  size_t numberOf(uint64_t end) const {
    return size_t(std::lower_bound(ends.begin(), ends.end(), end) -
                  ends.begin());
  }
  void add(size_t node, size_t low, size_t high, size_t first, size_t end,
           int change) {
    if (end <= low || high <= first)
      return;
    Node &own = nodes[node];
    if (first <= low && high <= end) {
      own.intervals += change;
    } else {
      const size_t middle = (low + high) / 2;
      add(2 * node, low, middle, first, end, change);
      add(2 * node + 1, middle, high, first, end, change);
    }
    if (own.intervals > 0)
      own.length = ends[high] - ends[low];
    else
      own.length = high - low == 1
                       ? 0
                       : nodes[2 * node].length + nodes[2 * node + 1].length;
  }

  std::vector<uint64_t> ends;
  std::vector<Node> nodes;
};

} // namespace

/// The bytes of the arena that are live at each position, each byte once: a
/// result may lie over the operand that it replaces.
static std::vector<uint64_t> countLive(const plan::Plan &plan,
                                       const Lives &found) {
  std::vector<uint64_t> ends;
  std::vector<std::vector<std::pair<int, int>>> changes( // buffer, +1 or -1
      found.launches.size() + 1);
  for (int i = 0; i < plan.buffers_size(); ++i) {
    const plan::Buffer &buffer = plan.buffers(i);
    const Life &life = found.lives[size_t(i)];
    if (buffer.place_case() != plan::Buffer::kArena || life.first < 0 ||
        size_t(life.last) >= found.launches.size())
      continue;
    ends.push_back(buffer.arena());
    ends.push_back(buffer.arena() + buffer.bytes());
    changes[size_t(life.first)].emplace_back(i, 1);
    changes[size_t(life.last) + 1].emplace_back(i, -1);
  }
  Coverage coverage(std::move(ends));
  std::vector<uint64_t> live;
  for (size_t at = 0; at < found.launches.size(); ++at) {
    for (const auto &[number, change] : changes[at]) {
      const plan::Buffer &buffer = plan.buffers(number);
      coverage.add(buffer.arena(), buffer.arena() + buffer.bytes(), change);
    }
    live.push_back(coverage.length());
  }
  return live;
}

std::string nameLaunch(const plan::Launch &launch) {
  return launch.source_kernel().empty() ? launch.kernel()
                                        : launch.source_kernel();
}

std::vector<Phase> findLaunchPhases(const plan::Plan &plan, const json &info) {
  const std::map<std::string, Phase> phases = findPhases(info);
  std::vector<Phase> result;
  for (const plan::Launch &launch : plan.launches()) {
    auto found = phases.find(nameLaunch(launch));
    result.push_back(found == phases.end() ? Phase::Forward : found->second);
  }
  return result;
}

OrderedJson describeMemory(const ReportedProgram &program, const json &info) {
  if (!program.executable)
    return {{"name", program.name}, {"problem", program.problem}};
  const plan::Plan &plan = program.executable->plan();
  const Lives found(plan);
  const MemoryStats figures = measureMemory(plan);
  const std::vector<Phase> phases = findLaunchPhases(plan, info);
  OrderedJson launches = OrderedJson::array(), buffers = launches;
  for (size_t at = 0; at < found.launches.size(); ++at) {
    const plan::Launch &launch = plan.launches(int(found.launches[at]));
    launches.push_back({nameLaunch(launch), launch.operation(),
                        nameOf(phases[found.launches[at]])});
  }
  for (int i = 0; i < plan.buffers_size(); ++i) {
    const plan::Buffer &buffer = plan.buffers(i);
    const Life &life = found.lives[size_t(i)];
    if (buffer.place_case() == plan::Buffer::kArena && life.first >= 0)
      buffers.push_back(
          {buffer.arena(), buffer.bytes(), life.first, life.last});
  }
  const std::vector<uint64_t> live = countLive(plan, found);
  const auto peak = std::max_element(live.begin(), live.end());
  return {{"name", program.name},
          {"digest", program.executable->program_digest()},
          {"arena", figures.arena},
          {"parameters", figures.parameters},
          {"state", figures.state},
          {"inputs", figures.inputs},
          {"outputs", figures.ownOutputs},
          {"constants", figures.constants},
          {"prepared", figures.prepared},
          {"total", figures.total()},
          {"more", figures.moreKernels},
          {"launches", launches},
          {"buffers", buffers},
          {"live", live},
          {"peak", peak == live.end() ? 0 : peak - live.begin()}};
}

static std::string makeBreakdown(const OrderedJson &memory) {
  std::string rows;
  for (const auto &[key, name] :
       {std::pair("parameters", "parameters"),
        std::pair("state", "optimizer and other state"),
        std::pair("inputs", "inputs"), std::pair("outputs", "outputs"),
        std::pair("constants", "constants"),
        std::pair("prepared", "values computed once per set of parameters"),
        std::pair("arena", "arena: activations and gradients"),
        std::pair("total", "together")})
    rows += "<tr>" + html::cell(name) + "<td class=\"r\">" +
            printBytes(double(memory[key].get<uint64_t>())) + "</td></tr>";
  return "<div class=\"wide\"><table>" + rows + "</table></div>";
}

/// The buffers that are live at the peak, largest first.
static std::string makeHolders(const OrderedJson &memory) {
  constexpr size_t most = 12;
  const int64_t peak = memory["peak"].get<int64_t>();
  std::vector<std::pair<int64_t, size_t>> holders;
  for (size_t i = 0; i < memory["buffers"].size(); ++i) {
    const OrderedJson &buffer = memory["buffers"][i];
    if (buffer[2].get<int64_t>() <= peak && buffer[3].get<int64_t>() >= peak)
      holders.emplace_back(-buffer[1].get<int64_t>(), i);
  }
  std::sort(holders.begin(), holders.end());
  std::string rows;
  for (size_t i = 0; i < std::min(most, holders.size()); ++i) {
    const OrderedJson &buffer = memory["buffers"][holders[i].second];
    const OrderedJson &writer =
        memory["launches"][size_t(buffer[2].get<int64_t>())];
    const auto node = writer[1].get<std::string>();
    rows += "<tr><td class=\"r\">" + printBytes(double(-holders[i].first)) +
            "</td>" + html::cell(node.empty() ? "-" : node) +
            html::cell(writer[0].get<std::string>()) + "<td class=\"r\">" +
            buffer[2].dump() + " to " + buffer[3].dump() + "</td></tr>";
  }
  std::string more;
  if (holders.size() > most)
    more = "<p>and " + groupDigits(int64_t(holders.size() - most)) +
           " smaller ones.</p>";
  return "<div class=\"wide\"><table>" +
         html::headRow({"#bytes", "node", "kernel", "#launches"}) + rows +
         "</table></div>" + more;
}

std::string makeMemory(const ReportContent &content,
                       const OrderedJson &memories) {
  std::string body =
      "<p>The arena holds the values between kernels. A rectangle is a value: "
      "its addresses upwards, and the launches of its life to the right. The "
      "dashed line marks the launch at which the most bytes are live.</p>";
  for (size_t i = 0; i < memories.size(); ++i) {
    const OrderedJson &memory = memories[i];
    body += "<h3>" + html::escape(memory["name"].get<std::string>()) + "</h3>";
    if (memory.contains("problem")) {
      body += "<p>Not known: " +
              html::escape(memory["problem"].get<std::string>()) + "</p>";
      continue;
    }
    if (memory["digest"] != content.info.value("program_digest", ""))
      body += "<p>This program's digest is <code>" +
              html::escape(memory["digest"].get<std::string>()) +
              "</code>, another one than that of the graph.</p>";
    if (!memory["buffers"].empty())
      body += "<figure class=\"chart memoryChart\" data-n=\"" +
              std::to_string(i) + "\"></figure>";
    if (const auto more = memory["more"].get<int64_t>())
      body += "<p>" + groupDigits(more) +
              " kernels compute values again, to hold the budget.</p>";
    body += "<div class=\"two\"><div><h4>What a device holds</h4>" +
            makeBreakdown(memory) + "</div><div><h4>Live at the peak</h4>" +
            makeHolders(memory) + "</div></div>";
  }
  return html::section("memory", "Memory over a run", body);
}

} // namespace gensyn::runtime::report
