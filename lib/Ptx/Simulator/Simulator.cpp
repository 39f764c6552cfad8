// Modules and launches.

#include "gensyn/Ptx/Simulator.h"

#include "../Decoder/Decoder.h"
#include "Block.h"
#include "Faults.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <thread>

namespace gensyn::ptx {
namespace {

constexpr uint64_t mostVariableBytes = uint64_t(1) << 30;

/// Flags of the host program must not affect the results.
class DefaultEnvironment {
public:
  DefaultEnvironment() {
    std::fegetenv(&saved);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultEnvironment() { std::fesetenv(&saved); }

private:
  std::fenv_t saved;
};

/// Blocks of a launch, handed out in ascending order.
class Scheduler {
public:
  Scheduler(const LaunchContext &launch, uint64_t blocks)
      : context(launch), count(blocks) {}

  std::optional<Fault> run(unsigned threads) {
    Worker self(*this); // counts its instructions when it is done
    auto start = std::chrono::steady_clock::now();
    bool more = self.runBlock();
    // Starting a thread takes as long as a small launch.
    auto expected = (std::chrono::steady_clock::now() - start) * (count - 1);
    std::vector<std::thread> helpers;
    if (more && expected > std::chrono::microseconds(100))
      for (uint64_t i = 1; i < std::min<uint64_t>({threads, count - 1, 256});
           ++i)
        helpers.emplace_back([this] {
          Worker helper(*this);
          while (helper.runBlock()) {
          }
        });
    while (more)
      more = self.runBlock();
    for (std::thread &helper : helpers)
      helper.join();
    return std::move(fault);
  }

  std::atomic<uint64_t> threadInstructions = 0;

private:
  /// One host thread.
  class Worker {
  public:
    explicit Worker(Scheduler &owner)
        : scheduler(owner),
          block(owner.context, owner.context.findRaces ? &races : nullptr) {}
    ~Worker() { scheduler.threadInstructions += block.threadInstructions; }

    /// Runs the next block. False if none is left or an earlier one failed.
    bool runBlock() {
      uint64_t number = scheduler.next++;
      if (number >= scheduler.limit)
        return false;
      if (!block.run(number))
        scheduler.fail(number, block);
      return true;
    }

  private:
    DefaultEnvironment environment;
    Scheduler &scheduler;
    RaceDetector races;
    Block block;
  };

  void fail(uint64_t number, const Block &block) {
    std::lock_guard<std::mutex> lock(mutex);
    if (number >= limit)
      return;
    limit = number;
    fault = describeFault(block);
  }

  const LaunchContext &context;
  const uint64_t count;
  std::atomic<uint64_t> next = 0;
  std::atomic<uint64_t> limit = count; ///< no block from here on matters
  std::mutex mutex;
  std::optional<Fault> fault;
};

/// The reason why the launch is refused; empty if it is not.
std::string checkLaunch(const Launch &launch, const Kernel &kernel) {
  const Dimensions &grid = launch.grid, &block = launch.block;
  uint64_t threads = uint64_t(block.x) * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7FFFFFFF ||
      grid.y > 65535 || grid.z > 65535)
    return "a grid of " + std::to_string(grid.x) + " x " +
           std::to_string(grid.y) + " x " + std::to_string(grid.z) +
           " blocks is not possible";
  if (threads == 0 || block.x > 1024 || block.y > 1024 || block.z > 64 ||
      threads > 1024)
    return "a block of " + std::to_string(block.x) + " x " +
           std::to_string(block.y) + " x " + std::to_string(block.z) +
           " threads is not possible";
  if (kernel.requiredBlock &&
      *kernel.requiredBlock != std::array{block.x, block.y, block.z})
    return "it needs blocks of " + std::to_string((*kernel.requiredBlock)[0]) +
           " x " + std::to_string((*kernel.requiredBlock)[1]) + " x " +
           std::to_string((*kernel.requiredBlock)[2]) + " threads, not " +
           std::to_string(block.x) + " x " + std::to_string(block.y) + " x " +
           std::to_string(block.z);
  if (kernel.maximalBlock) {
    auto [x, y, z] = *kernel.maximalBlock;
    if (threads > uint64_t(x) * y * z)
      return "it allows blocks of " + std::to_string(x * y * z) +
             " threads, not " + std::to_string(threads);
  }
  if (launch.parameters.size() != kernel.parameterBytes)
    return "it has " + std::to_string(kernel.parameterBytes) +
           " bytes of parameters, not " +
           std::to_string(launch.parameters.size());
  uint64_t shared = kernel.sharedBytes + launch.dynamicSharedBytes;
  if (shared > kernel.mostSharedBytes ||
      launch.dynamicSharedBytes > kernel.mostSharedBytes)
    return "blocks of " + kernel.target + " have at most " +
           std::to_string(kernel.mostSharedBytes) +
           " bytes of shared memory, not " + std::to_string(shared);
  return "";
}

} // namespace

namespace {
struct Free {
  void operator()(void *bytes) const { std::free(bytes); }
};
} // namespace

struct Module::State {
  std::vector<std::unique_ptr<void, Free>> storage;
  std::vector<Region> regions; ///< of the module's variables
  std::vector<Kernel> kernels;

  std::optional<Error> allocate(const Syntax &syntax, ModuleContext &module);
};

/// True if two variables are the declaration and the definition of one.
static bool isSame(const Variable &first, const Variable &second) {
  return first.space == second.space && first.external != second.external;
}

std::optional<Error> Module::State::allocate(const Syntax &syntax,
                                             ModuleContext &module) {
  uint64_t total = 0;
  for (const Variable &variable : syntax.variables) {
    auto [entry, isNew] = module.variables.try_emplace(
        variable.name, ModuleVariable{&variable, 0});
    if (!isNew && !isSame(variable, *entry->second.variable))
      return Error{variable.line, "variable '" + std::string(variable.name) +
                                      "' is defined twice"};
    if (!isNew && variable.external)
      continue;
    entry->second.variable = &variable;
    if (variable.space == Space::Shared)
      continue;
    total += variable.size + variable.align;
    // Untouched zero pages take no memory.
    auto &bytes = storage.emplace_back(
        total > mostVariableBytes
            ? nullptr
            : std::calloc(variable.size + variable.align, 1));
    if (!bytes)
      return Error{variable.line, "with '" + std::string(variable.name) +
                                      "' the module's variables have " +
                                      std::to_string(total) +
                                      " bytes, more than the simulator has "
                                      "(1 GiB)"};
    uint64_t align = variable.align;
    uint64_t begin =
        (reinterpret_cast<uint64_t>(bytes.get()) + align - 1) / align * align;
    if (!variable.initial.empty())
      std::memcpy(reinterpret_cast<void *>(begin), variable.initial.data(),
                  variable.initial.size());
    entry->second.address = begin;
    if (variable.size != 0)
      regions.push_back({begin, begin + variable.size,
                         variable.space != Space::Const, nullptr});
  }
  for (const Variable &variable : syntax.variables)
    for (const Relocation &relocation : variable.relocations) {
      auto target = module.variables.find(relocation.symbol);
      if (target == module.variables.end() || target->second.address == 0)
        return Error{variable.line, "unknown name '" +
                                        std::string(relocation.symbol) +
                                        "' in an initialiser"};
      const ModuleVariable &own = module.variables.at(variable.name);
      if (own.variable != &variable || own.address == 0)
        continue;
      uint64_t value =
          target->second.address + static_cast<uint64_t>(relocation.addend);
      std::memcpy(reinterpret_cast<void *>(own.address + relocation.offset),
                  &value, sizeof(value));
    }
  return std::nullopt;
}

Result<Module> Module::parse(std::string text) {
  Result<Syntax> syntax = parseSyntax(std::move(text));
  if (!syntax)
    return syntax.error();
  Module module;
  module.state = std::make_shared<State>();
  ModuleContext context(*syntax);
  if (auto error = module.state->allocate(*syntax, context))
    return *error;
  for (const Function &function : syntax->functions) {
    if (!function.isEntry || function.isDeclaration)
      continue;
    Result<Kernel> kernel = decodeKernel(context, function);
    if (!kernel)
      return kernel.error();
    module.state->kernels.push_back(std::move(*kernel));
  }
  return module;
}

std::vector<KernelInfo> Module::kernels() const {
  std::vector<KernelInfo> result;
  for (const Kernel &kernel : state->kernels) {
    KernelInfo &info = result.emplace_back();
    info.name = kernel.name;
    for (const Parameter &parameter : kernel.parameters)
      info.parameters.push_back(
          {parameter.name, parameter.offset, parameter.size});
    info.parameterBytes = kernel.parameterBytes;
    info.sharedBytes = kernel.sharedBytes;
    info.localBytes = kernel.localBytes;
    info.instructions = kernel.codes.size();
    info.requiredBlock = kernel.requiredBlock;
    info.maximalBlock = kernel.maximalBlock;
  }
  return result;
}

std::optional<Fault> Module::launch(const Launch &launch, const Memory &memory,
                                    Statistics *statistics) const {
  auto kernel = std::find_if(
      state->kernels.begin(), state->kernels.end(),
      [&](const Kernel &each) { return each.name == launch.kernel; });
  if (kernel == state->kernels.end())
    return launchFault(Fault::Kind::Launch, launch.kernel,
                       "no kernel has this name");
  std::string problem = checkLaunch(launch, *kernel);
  if (!problem.empty())
    return launchFault(Fault::Kind::Launch, launch.kernel, problem);

  std::vector<Region> regions = state->regions;
  for (const Memory::Range &range : memory.ranges)
    regions.push_back({range.begin, range.end, range.writable, range.written});
  std::sort(regions.begin(), regions.end(),
            [](const Region &a, const Region &b) { return a.begin < b.begin; });
  // Aligned, because loads of parameters are.
  std::vector<uint64_t> parameters((launch.parameters.size() + 7) / 8 + 1);
  if (!launch.parameters.empty())
    std::memcpy(parameters.data(), launch.parameters.data(),
                launch.parameters.size());

  LaunchContext context;
  context.kernel = &*kernel;
  context.gridSize = {launch.grid.x, launch.grid.y, launch.grid.z};
  context.blockSize = {launch.block.x, launch.block.y, launch.block.z};
  context.dynamicSharedBytes = launch.dynamicSharedBytes;
  context.sharedBytes = kernel->sharedBytes + launch.dynamicSharedBytes;
  context.parameters = reinterpret_cast<const std::byte *>(parameters.data());
  context.regions = regions.data();
  context.regionCount = regions.size();
  std::atomic<uint64_t> issued = 0;
  context.maxInstructions = launch.maxInstructions;
  context.issued = &issued;
  context.findRaces = launch.findRaces;

  uint64_t blocks = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
  if (blocks > launch.maxInstructions / costOfStart(context))
    return launchFault(Fault::Kind::Limit, launch.kernel,
                       std::to_string(blocks) +
                           " blocks alone take more than " +
                           std::to_string(launch.maxInstructions) +
                           " instructions, the limit");
  Scheduler scheduler(context, blocks);
  std::optional<Fault> fault =
      scheduler.run(launch.findRaces ? 1 : launch.threads);
  if (statistics != nullptr)
    statistics->threadInstructions += scheduler.threadInstructions;
  return fault;
}

} // namespace gensyn::ptx
