// Batches: builds and runs them, and finds the program that differs.

#include "Batch.h"
#include "Emulator/Emulator.h"

#include "gensyn/CheckBits/Compiled.h"
#include "gensyn/CheckBits/Difference.h"
#include "gensyn/CheckBits/Inputs.h"
#include "gensyn/CheckBits/Shrink.h"
#include "gensyn/Codegen/Gpu/Schedule.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace mlir;
using gensyn::checkbits::Case;
using gensyn::checkbits::Compiled;

namespace gensyn::random_programs {

func::FuncOp Batch::getFunction() const {
  return *module.get().getOps<func::FuncOp>().begin();
}

Outcome &Outcome::operator+=(const Outcome &other) {
  programs += other.programs;
  pairs += other.pairs;
  ptxPairs += other.ptxPairs;
  cudaPairs += other.cudaPairs;
  failures += other.failures;
  notFrozen += other.notFrozen;
  refused += other.refused;
  sliced += other.sliced;
  for (size_t i = 0; i < kernels.size(); ++i)
    kernels[i] += other.kernels[i];
  return *this;
}

/// The target that is the interpreter, of use with passes.
constexpr StringRef kReference = "reference";

/// Whether a program is refused for a limit of mappings (docs/Mapping.md): what
/// a core computes at once is in its memory.
static bool isLimit(StringRef message) {
  return message.contains("the smallest piece needs");
}

/// One of this many programs is large.
constexpr int64_t kLargeOf = 12;

static uint64_t seedOf(uint64_t seed, uint64_t number) {
  Random random(seed * 0x2545F4914F6CDD1D + number);
  return random();
}

/// Makes half of the arguments parameters, so that what depends on these alone
/// is computed before the runs of a plan.
static void addRoles(func::FuncOp function, ArrayRef<ProgramRange> programs,
                     uint64_t seed) {
  for (const ProgramRange &range : programs) {
    Random random(seedOf(seed + 1, range.number));
    for (unsigned i = 0; i < range.arguments; ++i)
      if (random.chance(1, 2))
        function.setArgAttr(
            range.firstArgument + i, program::kRoleAttr,
            program::getRoleAttr(function.getContext(), Role::Parameter));
  }
}

/// Takes the orders of all contractions of f32, and slices those that may be.
/// Returns how many these were.
static uint64_t sliceContractions(ModuleOp module) {
  auto withResult = [&](auto function) {
    uint64_t count = 0;
    module.walk([&](repro::ContractOp op) {
      if (!getElementTypeOrSelf(op.getType()).isF32())
        return;
      function(op);
      ++count;
    });
    return count;
  };
  const uint64_t before =
      withResult([](repro::ContractOp op) { op.removeOrderAttr(); });
  PassManager passes(module.getContext());
  // Few contractions have enough points for it to be worth it.
  passes.addNestedPass<func::FuncOp>(
      repro::createSliceContractionsPass({/*fewestPoints=*/1}));
  passes.addNestedPass<func::FuncOp>(repro::createAssignOrdersPass());
  if (failed(passes.run(module)))
    llvm::report_fatal_error("contractions cannot be sliced");
  return before - withResult([](repro::ContractOp) {});
}

Batch makeBatch(MLIRContext &context, const Vocabulary &vocabulary,
                const Options &options, uint64_t first, uint64_t count) {
  const uint64_t seed = options.seed;
  Batch batch;
  batch.module = ModuleOp::create(UnknownLoc::get(&context));
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(batch.module->getBody());
  auto function = func::FuncOp::create(builder, builder.getUnknownLoc(), "main",
                                       builder.getFunctionType({}, {}));
  Block *block = function.addEntryBlock();
  SmallVector<Value> results;
  for (uint64_t number = first; number < first + count; ++number) {
    ProgramRange range{number, block->getNumArguments(), 0,
                       static_cast<unsigned>(results.size()), 0};
    // Programs of one batch share no values, so each is independent of the
    // others.
    Generator generator(*block, vocabulary, seedOf(seed, number));
    int64_t ops = generator.random.chance(1, 3)
                      ? generator.random.between(1, 3)
                      : generator.random.between(2, 14);
    if (generator.random.chance(1, kLargeOf)) {
      generator.size = Size::large();
      ops = generator.random.between(1, 4);
    }
    SmallVector<Value> made = generator.makeProgram(ops);
    results.append(made);
    range.arguments = block->getNumArguments() - range.firstArgument;
    range.results = static_cast<unsigned>(made.size());
    batch.programs.push_back(range);
  }
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
  function.setType(builder.getFunctionType(block->getArgumentTypes(),
                                           ValueRange(results).getTypes()));
  addRoles(function, batch.programs, seed);
  if (options.slices)
    batch.sliced = sliceContractions(*batch.module);
  PassManager freeze(&context);
  freeze.addPass(repro::createFreezePass());
  batch.frozen = succeeded(freeze.run(*batch.module));
  return batch;
}

std::vector<Tensor> makeBatchInputs(const Batch &batch, uint64_t seed,
                                    unsigned trial) {
  std::vector<Tensor> inputs;
  auto types = batch.getFunction().getArgumentTypes();
  for (const ProgramRange &range : batch.programs)
    for (Tensor &input : checkbits::makeInputs(
             TypeRange(types).slice(range.firstArgument, range.arguments),
             // Even few trials, as on ptx-sim, should contain all kinds of
             // numbers.
             seedOf(~seed, range.number),
             trial + unsigned(range.number % checkbits::kNumMixes)))
      inputs.push_back(std::move(input));
  return inputs;
}

namespace {

/// A function for one target; "reference" for the interpreter.
struct Executable {
  std::optional<Compiled> compiled;
  /// Of the interpreter.
  OwningOpRef<ModuleOp> module;
};

/// The comparison of one batch.
class Comparison {
public:
  Comparison(MLIRContext &context, const Vocabulary &vocabulary,
             const Options &options)
      : context(context), vocabulary(vocabulary), options(options) {}

  Outcome run(uint64_t first, uint64_t count) {
    expected.clear();
    Batch batch = makeBatch(context, vocabulary, options, first, count);
    if (options.print) {
      batch.module->print(llvm::outs());
      llvm::outs() << "\n";
    }
    Outcome outcome;
    outcome.programs = count;
    outcome.notFrozen = !batch.frozen;
    outcome.sliced = batch.sliced;
    for (const std::string &target : options.targets) {
      const StringRef device = StringRef(target).split(':').first;
      const bool isSimulated = device == "ptx";
      if (isSimulated && (first / options.perBatch) % options.ptxEvery != 0)
        continue;
      auto compiled = compile(batch.getFunction(), target);
      if (!compiled) {
        std::string message = llvm::toString(compiled.takeError());
        if (count > 1)
          return runEach(first, count);
        if (isLimit(message)) {
          llvm::outs() << "refused: --seed " << options.seed << " --first "
                       << first << " --count 1: " << message << "\n";
          ++outcome.refused;
          continue;
        }
        report(first, count) << message << "\n";
        showFailing(batch, target, message);
        ++outcome.failures;
        continue;
      }
      if (compiled->compiled)
        countKernels(*compiled->compiled, outcome);
      if (isSimulated && !options.ptxFolder.empty())
        savePtx(*compiled->compiled, first, target);
      const unsigned trials = isSimulated ? options.ptxInputs : options.inputs;
      uint64_t &pairs = isSimulated        ? outcome.ptxPairs
                        : device == "cuda" ? outcome.cudaPairs
                                           : outcome.pairs;
      for (unsigned trial = 0; trial < trials; ++trial) {
        if (!compareTrial(batch, *compiled, target, trial, outcome))
          return outcome;
        pairs += count;
      }
    }
    // The number of (program, input) pairs, each of which ran on all CPU
    // targets.
    uint64_t cpus = 0;
    for (const std::string &target : options.targets)
      cpus += StringRef(target).starts_with("cpu") ||
              StringRef(target).starts_with("machine") || target == kReference;
    outcome.pairs /= std::max<uint64_t>(cpus, 1);
    return outcome;
  }

private:
  llvm::Expected<Executable> compile(func::FuncOp function, StringRef target) {
    std::vector<std::string> emulator;
    if (const machine::Cpu *cpu = machine::findCpu(target.split(':').second);
        cpu && !cpu->isNative()) {
      emulator = gensyn::testing::findEmulator(*cpu);
      if (emulator.empty())
        return llvm::createStringError("there is no emulator of " + target);
    }
    Executable out;
    out.module = cast<ModuleOp>(function->getParentOfType<ModuleOp>()->clone());
    if (!options.passes.empty()) {
      PassManager passes(&context);
      if (failed(parsePassPipeline(options.passes, passes)) ||
          failed(passes.run(*out.module)))
        return llvm::createStringError("the passes fail");
      // Bits find what the passes did, not the digest.
      out.module->getOperation()->removeAttr(repro::kDigestAttr);
    }
    if (target == kReference)
      return out;
    auto compiled = Compiled::compile(functionOf(*out.module), target, emulator,
                                      options.optimize);
    if (!compiled)
      return compiled.takeError();
    out.compiled.emplace(std::move(*compiled));
    return out;
  }

  static func::FuncOp functionOf(ModuleOp module) {
    return *module.getOps<func::FuncOp>().begin();
  }

  /// Finds the program that does not compile by compiling each alone.
  Outcome runEach(uint64_t first, uint64_t count) {
    Outcome sum;
    for (uint64_t i = 0; i < count; ++i)
      sum += run(first + i, 1);
    return sum;
  }

  /// As "<first>.sm_<number>.ptx".
  void savePtx(const Compiled &compiled, uint64_t first, StringRef target) {
    const std::string path = options.ptxFolder + "/" + std::to_string(first) +
                             "." + target.split(':').second.str() + ".ptx";
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (error) {
      llvm::errs() << path << ": " << error.message() << "\n";
      std::exit(1);
    }
    file << compiled.getPtx();
  }

  static void countKernels(const Compiled &compiled, Outcome &outcome) {
    const gpu::Schedules &all = gpu::getSchedules();
    for (const std::string &name : compiled.getSchedules()) {
      auto found = llvm::find_if(all, [&](const auto &schedule) {
        return schedule->getName() == name;
      });
      ++outcome.kernels[static_cast<size_t>(found - all.begin())];
    }
  }

  /// Returns false if the rest of the batch is meaningless.
  bool compareTrial(const Batch &batch, const Executable &compiled,
                    StringRef target, unsigned trial, Outcome &outcome) {
    std::vector<Tensor> inputs = makeBatchInputs(batch, options.seed, trial);
    if (expected.size() <= trial)
      expected.resize(trial + 1);
    const ProgramRange &any = batch.programs.front();
    if (expected[trial].empty()) {
      expected[trial] = interpret(batch.getFunction(), inputs);
      if (expected[trial].empty()) {
        report(any.number, batch.programs.size()) << "the reference fails\n";
        ++outcome.failures;
        return false;
      }
    }
    auto found = execute(compiled, inputs, trial);
    if (!found && batch.programs.size() > 1 && target.starts_with("cuda")) {
      llvm::consumeError(found.takeError());
      outcome.lostGpu = true;
      return false;
    }
    if (!found && batch.programs.size() > 1) {
      // A single program is more informative; if none fails alone, all of them
      // do.
      outcome = runEach(any.number, batch.programs.size());
      if (outcome.failures > 0) {
        llvm::consumeError(found.takeError());
        return false;
      }
    }
    if (!found) {
      report(any.number, batch.programs.size())
          << target << ": " << llvm::toString(found.takeError()) << "\n";
      ++outcome.failures;
      return false;
    }
    for (const ProgramRange &range : batch.programs) {
      ArrayRef<Tensor> want = ArrayRef<Tensor>(expected[trial])
                                  .slice(range.firstResult, range.results);
      ArrayRef<Tensor> have =
          ArrayRef<Tensor>(*found).slice(range.firstResult, range.results);
      if (!checkbits::findDifference(want, have))
        continue;
      // Once a program: further differences add nothing.
      if (!shown.insert(range.number).second)
        continue;
      ++outcome.failures;
      show(range.number, target, trial);
    }
    // Slots of all programs are one list: on a difference each alone.
    if (outcome.failures == 0 && findDifference(expected[trial], *found))
      for (const ProgramRange &range : batch.programs)
        if (differsAlone(range.number, target, trial) &&
            shown.insert(range.number).second) {
          ++outcome.failures;
          show(range.number, target, trial);
        }
    return true;
  }

  /// The results, then the positions of all faults (g7); empty if the reference
  /// fails.
  static std::vector<Tensor> interpret(func::FuncOp function,
                                       ArrayRef<Tensor> inputs) {
    repro::FaultScope faults;
    auto found = reference::interpret(function, inputs);
    if (failed(found))
      return {};
    std::vector<Tensor> results(found->begin(), found->end());
    results.push_back(tensorOf(faults.getPositions(function)));
    return results;
  }

  static llvm::Expected<std::vector<Tensor>>
  execute(const Executable &program, ArrayRef<Tensor> inputs, unsigned trial) {
    if (!program.compiled) {
      std::vector<Tensor> results =
          interpret(functionOf(*program.module), inputs);
      if (results.empty())
        return llvm::createStringError("the reference fails");
      return results;
    }
    std::vector<uint64_t> positions;
    auto results = program.compiled->run(inputs, 1 + trial % 3, &positions);
    if (results)
      results->push_back(tensorOf(positions));
    return results;
  }

  static Tensor tensorOf(const std::vector<uint64_t> &positions) {
    return Tensor::of<uint64_t>({int64_t(positions.size())}, positions);
  }

  /// An op whose result is unused has no code and no slot; then the slots are
  /// not compared.
  static std::optional<checkbits::Difference>
  findDifference(std::vector<Tensor> expected, std::vector<Tensor> found) {
    if (expected.back().shape() != found.back().shape()) {
      expected.pop_back();
      found.pop_back();
    }
    return checkbits::findDifference(expected, found);
  }

  /// Of a target that can tell stores in `writer` the task that stored what
  /// differs.
  std::optional<checkbits::Difference> compare(const Case &one,
                                               StringRef target, unsigned trial,
                                               std::string *writer = nullptr) {
    std::vector<Tensor> expected = interpret(one.getFunction(), one.inputs);
    auto compiled = compile(one.getFunction(), target);
    if (expected.empty() || !compiled) {
      if (!compiled)
        llvm::consumeError(compiled.takeError());
      return std::nullopt;
    }
    auto found = execute(*compiled, one.inputs, trial);
    if (!found) {
      llvm::consumeError(found.takeError());
      return std::nullopt;
    }
    const size_t slots = found->size() - 1;
    auto difference = findDifference(std::move(expected), std::move(*found));
    if (difference && writer && compiled->compiled)
      *writer = difference->result < slots
                    ? compiled->compiled->describeWriter(*difference)
                    : compiled->compiled->describeCounters(
                          uint32_t(difference->index[0]), difference->found);
    return difference;
  }

  bool differsAlone(uint64_t number, StringRef target, unsigned trial) {
    Batch alone = makeBatch(context, vocabulary, options, number, 1);
    return compare(
               checkbits::makeCase(alone.getFunction(),
                                   makeBatchInputs(alone, options.seed, trial)),
               target, trial)
        .has_value();
  }

  /// Shrinks the program alone and prints the result.
  void show(uint64_t number, StringRef target, unsigned trial) {
    Batch alone = makeBatch(context, vocabulary, options, number, 1);
    Case failing = checkbits::makeCase(
        alone.getFunction(), makeBatchInputs(alone, options.seed, trial));
    auto difference = compare(failing, target, trial);
    report(number, 1) << "trial " << trial << ", " << target;
    if (!difference) {
      llvm::outs() << ": differs among others of its batch, but not alone\n";
      return;
    }
    checkbits::shrink(failing, [&](const Case &smaller) {
      return compare(smaller, target, trial).has_value();
    });
    std::string writer;
    difference = compare(failing, target, trial, &writer);
    llvm::outs() << ", " << difference->describe()
                 << (writer.empty() ? "" : "; ") << writer << "\n";
    failing.module->print(llvm::outs());
    llvm::outs() << "\n";
    for (auto [i, input] : llvm::enumerate(failing.inputs)) {
      llvm::outs() << "// input " << i << ":";
      for (int64_t j = 0; j < std::min<int64_t>(input.numElements(), 16); ++j)
        llvm::outs() << " 0x" << llvm::utohexstr(checkbits::bitsOf(input, j));
      llvm::outs() << (input.numElements() > 16 ? " ...\n" : "\n");
    }
    llvm::outs().flush();
  }

  /// Shrinks a program that does not compile and prints the result. A smaller
  /// one fails in the same way where its message begins with the same words:
  /// names of kernels, which follow, are of their contents.
  void showFailing(const Batch &batch, StringRef target, StringRef message) {
    const StringRef reason = message.split(':').first;
    Case failing = checkbits::makeCase(batch.getFunction(),
                                       makeBatchInputs(batch, options.seed, 0));
    // A part has another digest than the whole, which is an error by itself.
    (*failing.module)->removeAttr(repro::kDigestAttr);
    checkbits::shrink(failing, [&](const Case &smaller) {
      auto compiled = compile(smaller.getFunction(), target);
      if (compiled)
        return false;
      return StringRef(llvm::toString(compiled.takeError()))
          .starts_with(reason);
    });
    failing.module->print(llvm::outs());
    llvm::outs() << "\n";
    llvm::outs().flush();
  }

  llvm::raw_ostream &report(uint64_t first, uint64_t count) {
    return llvm::outs() << "failure: --seed " << options.seed << " --first "
                        << first << " --count " << count << ": ";
  }

  MLIRContext &context;
  const Vocabulary &vocabulary;
  const Options &options;
  std::vector<std::vector<Tensor>> expected;
  std::set<uint64_t> shown;
};

} // namespace

Outcome compareBatch(MLIRContext &context, const Vocabulary &vocabulary,
                     const Options &options, uint64_t first, uint64_t count) {
  return Comparison(context, vocabulary, options).run(first, count);
}

} // namespace gensyn::random_programs
