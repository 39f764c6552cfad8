// Runs a plan's kernels, native code over ranges of tiles, on a thread pool.

#include "ElfCheck.h"
#include "gensyn/Executable/Packages/PlanCheck.h"
#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/PortUses.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"
#include "gensyn/Runtime/Devices/SharedObject.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace gensyn::runtime {

namespace {

using Clock = std::chrono::steady_clock;

/// The signature of a kernel in machine code.
using Kernel = void (*)(uint8_t *const *buffers, uint8_t *scratch,
                        int64_t begin, int64_t end);

/// Returns the bytes after checking that the loader can safely load them; they
/// may come from a package.
std::string_view checked(std::string_view bytes) {
  checkSharedObject(bytes);
  return bytes;
}

/// A launch with its symbol resolved.
struct BoundLaunch {
  Kernel kernel;
  int64_t tiles;
  std::vector<uint32_t> buffers;
  /// Shortest time per tile observed so far.
  double secondsPerTile = std::numeric_limits<double>::infinity();
  int measured = 0;
};

/// Returns the seconds below which a launch runs on one thread: a start and an
/// end that more threads take part in take longer. Measured with two threads;
/// with many, sleeping ones may have to be woken, which takes tens of
/// microseconds.
double worthSharing(unsigned threads) {
  return std::min(2.5e-6 * threads, 20e-6);
}
/// Number of times that a launch is measured; the first is slow, with cold
/// caches.
constexpr int measurements = 3;

/// Uses of an input that are so many launches apart count as one: what is kept
/// between them is not worth being fetched again.
constexpr size_t portGap = 16;

/// When a thread began its first tile of a launch and ended its last.
struct Worked {
  bool isUsed = false;
  Clock::time_point begin, end;
};

/// State that the threads of one launch share.
struct LaunchContext {
  Kernel kernel;
  uint8_t *const *buffers;
  const AlignedBytes *scratch;
  /// One for each thread, or null if nobody asks.
  Worked *worked = nullptr;
};

class CpuProgram final : public Program {
public:
  CpuProgram(std::shared_ptr<const plan::Executable> executable,
             const plan::Code &code, std::shared_ptr<ThreadPool> pool,
             KernelProfile *profile, bool isPackaged,
             std::shared_ptr<WorkMemory> given)
      : Program(std::move(executable)), library(checked(code.data())),
        pool(std::move(pool)), profile(profile), isPackaged(isPackaged),
        work(std::move(given)), memory(this->executable().plan(), work) {
    const plan::Plan &plan = this->executable().plan();
    uint64_t scratchBytes = 0;
    for (const plan::Launch &launch : plan.launches()) {
      launches.push_back(bind(launch));
      scratchBytes = std::max(scratchBytes, launch.scratch_bytes());
    }
    work->reserveScratch(this->pool->size(), scratchBytes);
  }

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override;

  bool observe(RunObserver &given) override {
    changes = findPortChanges(executable().plan(), portGap);
    observer = changes.empty() ? nullptr : &given;
    return !changes.empty();
  }

  std::vector<uint32_t> countUses() const override {
    std::vector<uint32_t> counts(signature().inputs.size(), 0);
    for (const PortChanges &change : changes)
      for (uint32_t input : change.begins)
        ++counts[input];
    return counts;
  }

private:
  BoundLaunch bind(const plan::Launch &launch) const {
    void *symbol = library.find(launch.kernel());
    if (!symbol)
      failBadInput("the program is malformed: there is no kernel " +
                   quote(launch.kernel()));
    checkLaunch(launch);
    return {reinterpret_cast<Kernel>(symbol), launch.tiles(),
            std::vector<uint32_t>(launch.buffers().begin(),
                                  launch.buffers().end())};
  }

  /// Kernels do not check their arguments; their declared accesses are checked
  /// here.
  void checkLaunch(const plan::Launch &launch) const {
    std::optional<KernelAccess> access;
    if (auto data = library.findData(launch.kernel() + KernelAccess::suffix))
      access = KernelAccess::decode(*data);
    if (access)
      checkAccess(executable().plan(), launch, *access);
    else if (isPackaged)
      failUnsupported("kernel " + quote(launch.kernel()) +
                          " does not say what memory it accesses",
                      "an older compiler made it; compile the model again");
  }

  void distribute(BoundLaunch &launch, LaunchContext &context);

  SharedObject library;
  std::shared_ptr<ThreadPool> pool;
  KernelProfile *profile;
  bool isPackaged;
  std::shared_ptr<WorkMemory> work;
  PlanMemory memory;
  std::vector<BoundLaunch> launches;
  RunObserver *observer = nullptr;
  std::vector<PortChanges> changes;
};

class CpuDevice final : public Device {
public:
  CpuDevice(const std::string &instructionSet, unsigned threads,
            KernelProfile *profile, bool isPackaged)
      : instructionSet(instructionSet),
        pool(std::make_shared<ThreadPool>(threads)), profile(profile),
        isPackaged(isPackaged) {}

  std::string target() const override { return "cpu:" + instructionSet; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable,
       std::shared_ptr<WorkMemory> work) override {
    std::vector<std::string> targets;
    for (const plan::Code &code : executable->code()) {
      if (code.target() == instructionSet)
        return std::make_unique<CpuProgram>(executable, code, pool, profile,
                                            isPackaged, std::move(work));
      targets.push_back(code.target());
    }
    failUnsupported("the program has no code for " + instructionSet,
                    targets.empty() ? "it has none at all"
                                    : "it has code for " + listed(targets));
  }

private:
  std::string instructionSet;
  std::shared_ptr<ThreadPool> pool;
  KernelProfile *profile;
  bool isPackaged;
};

double secondsBetween(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

double secondsSince(Clock::time_point start) {
  return secondsBetween(start, Clock::now());
}

} // namespace

void CpuProgram::run(std::span<const Tensor *const> inputs,
                     std::span<Tensor> outputs) {
  FloatEnvironment environment;
  const plan::Plan &plan = executable().plan();
  FaultWords faults(plan);
  std::vector<Place> places = memory.place(plan, inputs, outputs, faults);
  std::vector<uint8_t *> arguments;
  std::vector<Worked> worked;
  std::vector<ThreadSpan> spans;
  const auto start = Clock::now();
  auto runAlone = [&](int number) {
    BoundLaunch &launch = launches[static_cast<size_t>(number)];
    arguments.clear();
    for (uint32_t buffer : launch.buffers)
      arguments.push_back(places[buffer].begin);
    LaunchContext context{launch.kernel, arguments.data(), work->scratch()};
    if (!profile)
      return distribute(launch, context);
    if (profile->keepsSpans()) {
      worked.assign(pool->size(), {});
      context.worked = worked.data();
    }
    const auto begin = Clock::now();
    distribute(launch, context);
    profile->addLaunch(plan, number, secondsSince(begin));
    for (unsigned thread = 0; thread < worked.size(); ++thread)
      if (const Worked &own = worked[thread]; own.isUsed)
        spans.push_back({number, thread, secondsBetween(start, own.begin),
                         secondsBetween(start, own.end)});
  };
  auto run = [&](int number) {
    if (!observer)
      return runAlone(number);
    const PortChanges &change = changes[size_t(number)];
    for (uint32_t input : change.begins)
      observer->beforeInput(input);
    runAlone(number);
    for (uint32_t input : change.ends)
      observer->afterInput(input);
    for (uint32_t output : change.complete)
      observer->afterOutput(output, outputs[output].data());
  };
  runSteps(plan, places, faults, run, preparation.start());
  preparation.finish();
  if (profile) {
    profile->addRun(secondsSince(start));
    profile->setSpans(std::move(spans));
  }
  faults.report();
}

void CpuProgram::distribute(BoundLaunch &launch, LaunchContext &context) {
  auto work = [](void *opaque, unsigned thread, int64_t begin, int64_t end) {
    auto &shared = *static_cast<LaunchContext *>(opaque);
    if (!shared.worked)
      return shared.kernel(shared.buffers, shared.scratch[thread].get(), begin,
                           end);
    Worked &own = shared.worked[thread];
    if (!own.isUsed)
      own.begin = Clock::now();
    own.isUsed = true;
    shared.kernel(shared.buffers, shared.scratch[thread].get(), begin, end);
    own.end = Clock::now();
  };
  int64_t begin = 0;
  if (pool->size() > 1 && launch.tiles > 1 && launch.measured < measurements) {
    const auto start = Clock::now();
    work(&context, 0, 0, 1);
    launch.secondsPerTile =
        std::min(launch.secondsPerTile, secondsSince(start));
    ++launch.measured;
    begin = 1;
  }
  int64_t left = launch.tiles - begin;
  if (double(left) * launch.secondsPerTile < worthSharing(pool->size())) {
    if (left > 0)
      work(&context, 0, begin, launch.tiles);
  } else {
    pool->run(begin, launch.tiles, work, &context);
  }
}

std::unique_ptr<Device> makeCpuDevice(const std::string &instructionSet,
                                      unsigned threads, KernelProfile *profile,
                                      bool isPackaged) {
  return std::make_unique<CpuDevice>(instructionSet, threads, profile,
                                     isPackaged);
}

} // namespace gensyn::runtime
