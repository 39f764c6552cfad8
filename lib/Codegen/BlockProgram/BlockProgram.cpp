// See BlockProgram.h.

#include "gensyn/Codegen/BlockProgram/BlockProgram.h"

#include "Stream.h"
#include "gensyn/Machine/CoreTarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#include <map>

using namespace mlir;
using namespace gensyn::machine::block;

namespace gensyn::blockprogram {

namespace {

class Programs {
public:
  Programs(ModuleOp module, const machine::Description &machine,
           const plan::Plan &plan, const mapping::Mapping &mapping)
      : module(module), machine(machine), plan(plan), mapping(mapping),
        symbols(module) {
    uint64_t next = 0;
    for (const plan::Buffer &buffer : plan.buffers()) {
      addresses.push_back(next);
      next = llvm::alignTo(next + buffer.bytes(), bufferAlignment);
    }
  }

  FailureOr<std::vector<BlockProgram>> make() {
    if (llvm::none_of(machine.coreKinds, [](const machine::CoreKind &kind) {
          return machine::isBlockTarget(kind.target);
        }))
      return emitError(module.getLoc(), "machine '")
             << machine.name
             << "' has no accelerator blocks: 'target' of their kind of core "
             << "in the machine file names one";
    std::map<uint32_t, std::vector<int>> cores;
    for (int i = 0; i < mapping.segments_size(); ++i)
      for (const mapping::Core &core : mapping.segments(i).cores())
        if (core.tasks_size())
          cores[core.core()].push_back(i);
    for (const auto &[core, segments] : cores)
      if (failed(make(core, segments)))
        return failure();
    return std::move(programs);
  }

private:
  LogicalResult make(uint32_t core, ArrayRef<int> segments) {
    program = &programs.emplace_back();
    program->core = core;
    program->isBlock = machine::isBlockTarget(machine.kindOf(core).target);
    std::string runs;
    uint32_t count = 0;
    for (int number : segments) {
      const mapping::Segment &segment = mapping.segments(number);
      for (int i = 0; i <= segment.repetitions_size(); ++i, ++count)
        if (failed(addRun(number, i, runs)))
          return failure();
    }
    std::string &file = program->file;
    file.assign(std::begin(magic), std::end(magic));
    append(file, version, 4);
    append(file, count, 4);
    append(file, addresses.size(), 4);
    append(file, 0, 4);
    for (auto [address, buffer] : llvm::zip_equal(addresses, plan.buffers())) {
      append(file, address, 8);
      append(file, buffer.bytes(), 8);
    }
    file += runs;
    return success();
  }

  /// A repetition of a segment, whose buffers are others.
  LogicalResult addRun(int number, int repetition, std::string &runs) {
    const mapping::Segment &segment = mapping.segments(number);
    bound.clear();
    if (repetition)
      for (auto [from, to] :
           llvm::zip_equal(segment.buffers(),
                           segment.repetitions(repetition - 1).buffers()))
        bound[from] = to;
    numberCounters(segment);
    Run run;
    for (const mapping::Core &core : segment.cores())
      if (core.core() == program->core && failed(addTasks(core, number, run)))
        return failure();
    append(runs, uint64_t(number), 4);
    append(runs, uint64_t(repetition), 4);
    for (const Run::Queue &queue : run.queues)
      append(runs, queue.size(), 4);
    for (const Run::Queue &queue : run.queues)
      for (uint64_t word : queue)
        append(runs, word, 8);
    return success();
  }

  /// Counters that blocks know come first.
  void numberCounters(const mapping::Segment &segment) {
    counterNumbers.clear();
    auto add = [&](const mapping::Core &core) {
      for (const mapping::Task &task : core.tasks()) {
        for (const mapping::Await &await : task.awaits())
          counterNumbers.try_emplace(await.counter(), counterNumbers.size());
        for (uint32_t counter : task.signals())
          counterNumbers.try_emplace(counter, counterNumbers.size());
      }
    };
    for (bool isBlock : {true, false})
      for (const mapping::Core &core : segment.cores())
        if (machine::isBlockTarget(machine.kindOf(core.core()).target) ==
            isBlock)
          add(core);
  }

  LogicalResult addTasks(const mapping::Core &core, int segment, Run &run) {
    // Of each task the number of tasks of its queue up to it.
    SmallVector<std::pair<unsigned, uint32_t>> places;
    std::array<uint32_t, 2> ends{};
    for (auto [number, task] : llvm::enumerate(core.tasks())) {
      const unsigned queue = task.has_copy();
      where = ("the stream of core " + Twine(core.core()) + ": task " +
               Twine(number) + " of segment " + Twine(segment))
                  .str();
      uint32_t after = 0;
      for (uint32_t other : task.after())
        if (places[other].first != queue)
          after = std::max(after, places[other].second);
      places.push_back({queue, ++ends[queue]});
      for (const mapping::Await &await : task.awaits()) {
        run.wait(queue, counterNumbers.at(await.counter()), await.value());
        ++program->waits;
      }
      if (failed(addTask(task, queue, after, run)))
        return failure();
      for (uint32_t counter : task.signals()) {
        run.signal(queue, counterNumbers.at(counter));
        ++program->signals;
      }
      if (!program->isBlock)
        continue;
      auto isTooLarge = [&](uint32_t counter) {
        return counterNumbers.at(counter) >= counters;
      };
      if (llvm::any_of(task.signals(), isTooLarge) ||
          llvm::any_of(task.awaits(), [&](const mapping::Await &await) {
            return isTooLarge(await.counter());
          }))
        return refuse("it names more than " + Twine(counters) + " counters");
    }
    return success();
  }

  LogicalResult addTask(const mapping::Task &task, unsigned queue,
                        uint32_t after, Run &run) {
    ++(queue ? program->copies : program->computations);
    if (!program->isBlock) {
      run.other(queue, after);
      return success();
    }
    return task.has_copy() ? addCopy(task.copy(), after, run)
                           : addCompute(task.compute(), after, run);
  }

  LogicalResult addCopy(const mapping::Copy &copy, uint32_t after, Run &run) {
    const bool isFetch =
        copy.from().memory_case() == mapping::Location::kBuffer;
    const mapping::Location &own = isFetch ? copy.to() : copy.from();
    const mapping::Location &shared = isFetch ? copy.from() : copy.to();
    if (copy.channel() != 0 || copy.others_size() ||
        own.memory_case() != mapping::Location::kLocal ||
        shared.memory_case() != mapping::Location::kBuffer)
      return refuse("it copies to or from other cores, or by a second channel");
    auto found = bound.find(shared.buffer());
    const uint32_t buffer =
        found == bound.end() ? shared.buffer() : found->second;
    if (!run.copy(copy, addresses[buffer], after))
      return refuse("it copies rows of " + Twine(copy.row_bytes()) + " B in " +
                    Twine(copy.dimensions_size()) + " loops, at most " +
                    Twine(copyLoops) + " are possible");
    return success();
  }

  LogicalResult addCompute(const mapping::Compute &compute, uint32_t after,
                           Run &run) {
    const mapping::Body &body = mapping.bodies(int(compute.body()));
    const Contraction *contraction = find(body);
    if (!contraction)
      return failure();
    SmallVector<uint64_t> places;
    for (const mapping::Location &location : compute.arguments()) {
      if (location.memory_case() != mapping::Location::kLocal)
        return refuse("'" + body.name() +
                      "' accesses an operand where it lies in shared memory");
      places.push_back(location.local() + location.offset());
    }
    run.compute(*contraction, places[contraction->left.argument],
                places[contraction->right.argument], places.back(), after);
    return success();
  }

  const Contraction *find(const mapping::Body &body) {
    auto [found, isNew] = contractions.try_emplace(body.name());
    if (!isNew)
      return &found->second;
    auto function = symbols.lookup<func::FuncOp>(body.name());
    std::string why;
    FailureOr<Contraction> made =
        readContraction(*function.getOps<repro::KernelOp>().begin(), why);
    if (failed(made)) {
      (void)refuse("'" + body.name() + "': " + why);
      return nullptr;
    }
    found->second = std::move(*made);
    return &found->second;
  }

  LogicalResult refuse(const Twine &reason) {
    return emitError(module.getLoc(), where) << ": " << reason;
  }

  ModuleOp module;
  const machine::Description &machine;
  const plan::Plan &plan;
  const mapping::Mapping &mapping;
  SymbolTable symbols;
  /// Of the plan's buffers, in the memory.
  std::vector<uint64_t> addresses;
  std::vector<BlockProgram> programs;
  std::map<std::string, Contraction> contractions;
  /// Of the program, the run and the task that are made.
  BlockProgram *program = nullptr;
  std::map<uint32_t, uint32_t> bound;
  std::map<uint32_t, uint32_t> counterNumbers;
  std::string where;
};

} // namespace

FailureOr<std::vector<BlockProgram>>
makeBlockPrograms(ModuleOp module, const machine::Description &machine,
                  const plan::Plan &plan, const mapping::Mapping &mapping) {
  return Programs(module, machine, plan, mapping).make();
}

} // namespace gensyn::blockprogram
