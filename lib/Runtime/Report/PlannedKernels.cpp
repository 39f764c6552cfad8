// The kernels of a compiled model, of which only the plan is left.

#include "Sections.h"

#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <map>
#include <set>

namespace gensyn::runtime::report {

using nlohmann::json;

namespace {

/// What launches of one kernel have together.
struct PlannedKernel {
  std::string name, schedule;
  std::set<std::string> nodes;
  std::string node;
  uint64_t flops = 0, read = 0, written = 0;
  uint64_t most = 0; ///< operations of a launch, whose schedule it has
  std::set<size_t> readers;
};

/// Collects kernels from launches in the order in which they run.
class PlanReader {
public:
  explicit PlanReader(const plan::Plan &plan) : plan(plan) {
    for (const bool prepares : {true, false})
      for (const plan::Launch &launch : plan.launches())
        if (launch.prepares() == prepares)
          addLaunch(launch);
  }

  std::vector<PlannedKernel> kernels;

private:
  void addLaunch(const plan::Launch &launch);
  void addBuffer(const plan::Launch &launch, uint32_t number, size_t kernel);

  const plan::Plan &plan;
  std::map<std::string, size_t> numbers;
  /// The kernel that wrote a buffer last.
  std::map<uint32_t, size_t> writers;
};

} // namespace

/// The first launch that names a buffer of the program's own writes it, and one
/// that names it twice writes a result over an operand.
void PlanReader::addBuffer(const plan::Launch &launch, uint32_t number,
                           size_t kernel) {
  const plan::Buffer &buffer = plan.buffers(int(number));
  const auto place = buffer.place_case();
  const bool isOwn = place == plan::Buffer::kArena ||
                     place == plan::Buffer::kOutput ||
                     place == plan::Buffer::kPrepared;
  auto writer = writers.find(number);
  const bool isRead = !isOwn || writer != writers.end();
  if (isRead)
    kernels[kernel].read += buffer.bytes();
  if (writer != writers.end() && writer->second != kernel)
    kernels[writer->second].readers.insert(kernel);
  if (!isOwn || (isRead && std::count(launch.buffers().begin(),
                                      launch.buffers().end(), number) < 2))
    return;
  writers[number] = kernel;
  kernels[kernel].written += buffer.bytes();
}

void PlanReader::addLaunch(const plan::Launch &launch) {
  auto [found, isNew] = numbers.try_emplace(nameLaunch(launch), kernels.size());
  if (isNew)
    kernels.emplace_back().name = nameLaunch(launch);
  const size_t number = found->second;
  PlannedKernel &kernel = kernels[number];
  if (isNew || launch.flops() >= kernel.most) {
    kernel.schedule = launch.schedule();
    kernel.most = launch.flops();
  }
  if (!launch.operation().empty()) {
    kernel.node = launch.operation();
    kernel.nodes.insert(launch.operation());
  }
  kernel.flops += launch.flops();
  const std::set<uint32_t> buffers(launch.buffers().begin(),
                                   launch.buffers().end());
  for (uint32_t buffer : buffers)
    if (buffer < uint32_t(plan.buffers_size()))
      addBuffer(launch, buffer, number);
}

json describePlannedKernels(const plan::Plan &plan) {
  const PlanReader reader(plan);
  json rows = json::array();
  for (const PlannedKernel &kernel : reader.kernels) {
    json borders = json::array();
    for (size_t number : kernel.readers)
      borders.push_back({{"reader", reader.kernels[number].name},
                         {"reason", "a compiled model does not say"}});
    rows.push_back({{"name", kernel.name},
                    {"form", "kernel"},
                    {"schedule", kernel.schedule},
                    {"node", kernel.node},
                    {"nodes", kernel.nodes},
                    {"flops", kernel.flops},
                    {"bytes_read", kernel.read},
                    {"bytes_written", kernel.written},
                    {"borders", borders}});
  }
  return rows;
}

} // namespace gensyn::runtime::report
