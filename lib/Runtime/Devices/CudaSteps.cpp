// See CudaSteps.h.

#include "CudaSteps.h"

#include "ProfilerRange.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <cstring>

namespace gensyn::cuda {

/// The nodes of a graph take memory and time to create; longer runs are
/// enqueued step by step.
static constexpr uint64_t mostWork = 1 << 16;

using PlanSteps = google::protobuf::RepeatedPtrField<plan::Step>;

/// Nothing is read within loops that are part of a graph: no condition, and no
/// fault of an iteration.
static std::optional<uint64_t> countWork(const PlanSteps &steps, bool isInLoop,
                                         bool mayFaultInLoops) {
  uint64_t count = 0;
  for (const plan::Step &step : steps) {
    if (step.kind_case() == plan::Step::kBranch ||
        (isInLoop && step.kind_case() == plan::Step::kCheck))
      return std::nullopt;
    if (step.kind_case() != plan::Step::kLoop) {
      ++count;
      continue;
    }
    const plan::Step::Loop &loop = step.loop();
    if (mayFaultInLoops || loop.has_condition())
      return std::nullopt;
    std::optional<uint64_t> body =
        countWork(loop.body(), /*isInLoop=*/true, mayFaultInLoops);
    if (!body || uint64_t(loop.trips()) > mostWork)
      return std::nullopt;
    count += uint64_t(loop.trips()) * (*body + 2);
    if (count > mostWork)
      return std::nullopt;
  }
  return count;
}

std::optional<uint64_t> countWork(const plan::Plan &plan) {
  if (plan.steps().empty())
    return uint64_t(plan.launches_size());
  return countWork(plan.steps(), /*isInLoop=*/false, mayFaultInLoops(plan));
}

std::vector<uint32_t> listChecks(const plan::Plan &plan) {
  std::vector<uint32_t> faults;
  for (const plan::Step &step : plan.steps())
    if (step.kind_case() == plan::Step::kCheck)
      faults.push_back(step.check().fault());
  return faults;
}

std::string describeKernels(const plan::Plan &plan,
                            const std::vector<int> &launches) {
  std::vector<std::string> names;
  for (int launch : launches) {
    const std::string &name = plan.launches(launch).kernel();
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  if (names.empty())
    return "a copy";
  if (launches.size() == 1)
    return describeKernel(plan.launches(launches.front()));
  if (names.size() == 1)
    return "kernel " + quote(names.front());
  return "one of " + std::to_string(names.size()) +
         " kernels: " + listed(names);
}

void CudaSteps::wait() {
  times.stop(context.compute);
  context.synchronize(describeKernels(plan, running));
  running.clear();
  times.addTo(plan);
  times.clear();
}

void CudaSteps::copyToHost(uint8_t *to, Address from, uint64_t bytes) {
  times.beginCopy(context.compute, kCopyOfLosses, bytes);
  context.driver.check(
      context.driver.cuMemcpyDtoHAsync_v2(to, from, bytes, context.compute),
      "copy from " + context.label);
}

void CudaSteps::clearFaults() {
  const size_t bytes = size_t(plan.faults_size()) * 8;
  if (bytes == 0)
    return;
  times.beginCopy(context.compute, kFill, bytes);
  context.driver.check(context.driver.cuMemsetD8Async(memory.words, 0xFF, bytes,
                                                      context.compute),
                       "fill memory");
}

void CudaSteps::launch(int number) {
  const plan::Launch &launch = plan.launches(number);
  std::vector<Address> arguments;
  for (uint32_t buffer : launch.buffers())
    arguments.push_back(places[buffer]);
  size_t bytes = arguments.size() * sizeof(Address);
  // The driver compares the size of the arguments with the kernel's parameters.
  void *extra[] = {kLaunchBuffer, arguments.data(), kLaunchBufferBytes, &bytes,
                   kLaunchEnd};
  auto extent = [](const auto &extents, int i) {
    return i < extents.size() ? extents[i] : 1u;
  };
  if (mode != Mode::Record && times.isLong())
    wait();
  // What is recorded runs later, in the range of its graph.
  const std::string *name = mode == Mode::Record         ? nullptr
                            : launch.operation().empty() ? &launch.kernel()
                                                         : &launch.operation();
  const nvtx::ProfilerRange range(name);
  times.beginLaunch(context.compute, number);
  Result error = context.driver.cuLaunchKernel(
      kernels.function(number), extent(launch.grid(), 0),
      extent(launch.grid(), 1), extent(launch.grid(), 2),
      extent(launch.block(), 0), extent(launch.block(), 1),
      extent(launch.block(), 2), launch.shared_bytes(), context.compute,
      nullptr, extra);
  running.push_back(number);
  if (error)
    throw Failure(ExitCode::Bug,
                  context.label + " does not launch " + describeKernel(launch) +
                      ": " + context.driver.describe(error),
                  "please report it");
  if (mode == Mode::OneByOne)
    wait();
}

void CudaSteps::copy(uint32_t from, uint32_t to) {
  const uint64_t bytes = plan.buffers(int(from)).bytes();
  if (bytes == 0)
    return;
  // As operands and results of kernels, both count.
  times.beginCopy(context.compute, kCopyOnGpu, 2 * bytes);
  context.driver.check(context.driver.cuMemcpyDtoDAsync_v2(
                           places[to], places[from], bytes, context.compute),
                       "copy on " + context.label);
}

bool CudaSteps::flag(uint32_t buffer) {
  copyToHost(memory.copy, places[buffer], 1);
  wait();
  return *memory.copy != 0;
}

void CudaSteps::check(uint32_t ok, uint32_t fault) {
  if (mode != Mode::Record) {
    if (!flag(ok))
      record(fault);
    return;
  }
  copyToHost(memory.checks + checks++, places[ok], 1);
}

void CudaSteps::setIndex(uint32_t buffer, int64_t value) {
  // The value is part of the command, so no memory has to stay alive for it.
  const Address address = places[buffer];
  times.beginCopy(context.compute, kFill, sizeof(value));
  for (unsigned half = 0; half < 2; ++half) {
    const auto bits =
        static_cast<uint32_t>(static_cast<uint64_t>(value) >> (32 * half));
    // The iteration before has left the upper half.
    if (half == 1 && value != 0 && static_cast<uint32_t>(value) != 0)
      break;
    context.driver.check(context.driver.cuMemsetD32Async(
                             address + 4 * half, bits, 1, context.compute),
                         "fill memory");
  }
}

void CudaSteps::mergeFaults(int64_t iteration) {
  const auto count = static_cast<size_t>(plan.faults_size());
  if (count != 0)
    copyToHost(memory.copy, memory.words, count * 8);
  if (count == 0 || mode == Mode::Record)
    return;
  clearFaults();
  wait();
  for (size_t i = 0; i < count; ++i) {
    uint64_t element;
    std::memcpy(&element, memory.copy + i * 8, sizeof(element));
    faults.record(i, element);
  }
  faults.merge(iteration);
}

} // namespace gensyn::cuda
