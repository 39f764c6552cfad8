// Chooses the values to recompute; see Rematerialize.h.

#include "gensyn/Codegen/Plan/Rematerialize.h"

#include "PlanBuilder.h"
#include "RematProposal.h"
#include "gensyn/Codegen/Plan/Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"

#include "llvm/Support/DebugLog.h"
#include <deque>

#define DEBUG_TYPE "repro-rematerialize"

using namespace mlir;
using gensyn::repro::KernelOp;

namespace gensyn::codegen {
#define GEN_PASS_DEF_REMATERIALIZEPASS
#include "gensyn/Codegen/Plan/Passes.h.inc"

namespace {

/// Maximum number of times that the target is lowered.
constexpr int kMostRounds = 8;
/// Maximum number of single steps that are tried if several at once did not
/// help.
constexpr size_t kMostTries = 48;

/// Maximum number of largest live sets that cheap values are removed from.
constexpr int kMostLiveSets = 64;

/// Counts kernels and operations of a function, with loops at their bounds.
void countKernels(func::FuncOp function, uint64_t &kernels, uint64_t &flops) {
  kernels = flops = 0;
  function.walk([&](KernelOp kernel) {
    uint64_t times = 1;
    for (auto loop = kernel->getParentOfType<repro::LoopOp>(); loop;
         loop = loop->getParentOfType<repro::LoopOp>())
      times *= static_cast<uint64_t>(loop.getTrips());
    ++kernels;
    flops += times * static_cast<uint64_t>(countKernelFlops(kernel));
  });
}

/// Returns the bytes above `target`, summed over all times; every step must
/// reduce it.
uint64_t sumExcess(const std::vector<ArenaBlock> &blocks, uint64_t target) {
  std::vector<std::pair<int64_t, int64_t>> changes; // time, bytes
  for (const ArenaBlock &block : blocks) {
    const auto bytes = static_cast<int64_t>(llvm::alignTo(block.bytes, 64));
    changes.emplace_back(block.first, bytes);
    changes.emplace_back(block.last + 1, -bytes);
  }
  llvm::sort(changes);
  uint64_t excess = 0, live = 0;
  for (size_t i = 0; i + 1 < changes.size(); ++i) {
    live += static_cast<uint64_t>(changes[i].second);
    const int64_t times = changes[i + 1].first - changes[i].first;
    if (live > target)
      excess += static_cast<uint64_t>(times) * (live - target);
  }
  return excess;
}

class Rematerializer {
public:
  using LaunchesOf = function_ref<FailureOr<KernelLaunches>(KernelOp)>;
  Rematerializer(func::FuncOp function, LaunchesOf launchesOf,
                 const RematOptions &options)
      : function(function), launchesOf(launchesOf), options(options) {}

  FailureOr<RematReport> run();

private:
  FailureOr<Timeline> measure();
  LogicalResult dropNodes();
  LogicalResult dropCheap();
  void dropAround(const Timeline &timeline, RematEdits &edits,
                  function_ref<bool(OpResult)> choose, bool onlyCheap);
  LogicalResult fit(uint64_t target);
  void nameCopies();
  FailureOr<bool> lessen(const Timeline &timeline, const LiveSet &set,
                         uint64_t target);
  bool isNamed(OpResult result) const;
  void forget(Operation *op) {
    launches.erase(op);
    pairs.erase(op);
    if (auto kernel = dyn_cast<KernelOp>(op))
      for (Value result : kernel.getResults())
        if (Value origin = originOf.lookup(result)) {
          llvm::erase(again[origin], result);
          originOf.erase(result);
        }
  }

  func::FuncOp function;
  LaunchesOf launchesOf;
  const RematOptions &options;
  std::vector<llvm::GlobPattern> patterns;
  std::deque<std::string> escapedTexts; // storage of the patterns' texts
  /// Cached properties of kernels.
  llvm::DenseMap<Operation *, KernelLaunches> launches;
  PairCache pairs;
  RematProposal::Again again;
  llvm::DenseMap<Value, Value> originOf;
};

FailureOr<Timeline> Rematerializer::measure() {
  plan::Plan scratch;
  auto known = [&](KernelOp kernel) -> FailureOr<KernelLaunches> {
    auto found = launches.find(kernel);
    if (found != launches.end())
      return found->second;
    FailureOr<KernelLaunches> made = launchesOf(kernel);
    if (succeeded(made))
      launches[kernel] = *made;
    return made;
  };
  return PlanBuilder(scratch, known, options.plan)
      .findTimeline(function, pairs);
}

/// For each block around `op`, returns the op in it that is or contains `op`.
SmallVector<Operation *> pointsAround(Operation *op, Operation *function) {
  SmallVector<Operation *> points;
  for (; op && op != function; op = op->getParentOp())
    points.push_back(op);
  return points;
}

bool Rematerializer::isNamed(OpResult result) const {
  auto kernel = cast<KernelOp>(result.getOwner());
  Value inside = kernel.getYielded()[result.getResultNumber()];
  SmallVector<std::string> names = {nameNode(kernel)};
  if (Operation *op = inside.getDefiningOp())
    names.push_back(nameNode(op));
  return llvm::any_of(patterns, [&](const llvm::GlobPattern &pattern) {
    return llvm::any_of(
        names, [&](const std::string &name) { return pattern.match(name); });
  });
}

LogicalResult Rematerializer::dropNodes() {
  for (const std::string &text : options.nodes) {
    std::string &escaped = escapedTexts.emplace_back();
    // Only * and ? are special.
    for (char c : text) {
      if (StringRef("[]{}\\^!").contains(c))
        escaped += '\\';
      escaped += c;
    }
    auto pattern = llvm::GlobPattern::create(escaped);
    if (!pattern)
      return function.emitError("pattern of nodes to recompute: ")
             << llvm::toString(pattern.takeError());
    patterns.push_back(std::move(*pattern));
  }
  FailureOr<Timeline> timeline = measure();
  if (failed(timeline))
    return failure();
  RematEdits edits;
  dropAround(
      *timeline, edits, [&](OpResult result) { return isNamed(result); },
      /*onlyCheap=*/false);
  edits.commit([&](Operation *op) { forget(op); });
  return success();
}

/// Drops the chosen values of the largest live set that it only keeps.
void Rematerializer::dropAround(const Timeline &timeline, RematEdits &edits,
                                function_ref<bool(OpResult)> choose,
                                bool onlyCheap) {
  Operation *op = timeline.opAt(findLargestLiveSet(timeline.blocks).time);
  for (Operation *point : pointsAround(op, function)) {
    SmallVector<KernelOp> kernels;
    for (Operation *other = point->getPrevNode(); other;
         other = other->getPrevNode())
      if (auto kernel = dyn_cast<KernelOp>(other))
        kernels.push_back(kernel);
    // Readers first, so that a chain of kernels is recomputed at once.
    for (KernelOp kernel : kernels) {
      if (!kernel->getBlock())
        continue;
      RematProposal proposal(kernel, point, timeline, again, originOf);
      if (onlyCheap ? proposal.findCheap(choose) : proposal.find(choose))
        proposal.apply(edits, again, originOf);
    }
  }
}

LogicalResult Rematerializer::dropCheap() {
  auto any = [](OpResult) { return true; };
  for (int round = 0; round < kMostLiveSets; ++round) {
    FailureOr<Timeline> timeline = measure();
    if (failed(timeline))
      return failure();
    RematEdits edits;
    dropAround(*timeline, edits, any, /*onlyCheap=*/true);
    if (edits.isEmpty())
      return success();
    edits.commit([&](Operation *op) { forget(op); });
  }
  return success();
}

/// Takes one or more steps at the largest live set; returns false if none
/// helps.
FailureOr<bool> Rematerializer::lessen(const Timeline &timeline,
                                       const LiveSet &set, uint64_t target) {
  struct Choice {
    KernelOp kernel;
    Operation *point;
    double score;
  };
  auto any = [](OpResult) { return true; };
  std::vector<Choice> choices;
  for (Operation *point : pointsAround(timeline.opAt(set.time), function))
    for (Operation *op = point->getPrevNode(); op; op = op->getPrevNode())
      if (auto kernel = dyn_cast<KernelOp>(op)) {
        RematProposal proposal(kernel, point, timeline, again, originOf);
        if (proposal.find(any) && proposal.getSaved() > 0)
          choices.push_back({kernel, point, proposal.getScore()});
      }
  std::stable_sort(
      choices.begin(), choices.end(),
      [](const Choice &a, const Choice &b) { return a.score < b.score; });
  const uint64_t before = sumExcess(timeline.blocks, target);
  auto drop = [&](Operation *op) { forget(op); };
  // First all steps that are needed at this time together, then one by one.
  for (size_t first = 0, tries = 0;
       first < choices.size() && tries <= kMostTries; ++tries) {
    RematEdits edits;
    uint64_t saved = 0;
    const uint64_t wanted = set.bytes - target;
    const bool isBatch = tries == 0;
    size_t number = isBatch ? 0 : first++;
    for (; number < choices.size(); ++number) {
      const Choice &choice = choices[number];
      if (!choice.kernel->getBlock() || !choice.point->getBlock())
        continue;
      RematProposal proposal(choice.kernel, choice.point, timeline, again,
                             originOf);
      if (proposal.find(any) && proposal.getSaved() > 0) {
        proposal.apply(edits, again, originOf);
        saved += static_cast<uint64_t>(proposal.getSaved());
      }
      if (!isBatch || saved >= wanted)
        break;
    }
    if (!saved)
      continue;
    FailureOr<Timeline> after = measure();
    if (failed(after))
      return failure();
    if (sumExcess(after->blocks, target) < before &&
        findLargestLiveSet(after->blocks).bytes <= set.bytes) {
      LDBG() << "computes kernels again, " << saved << " bytes less at "
             << set.time;
      edits.commit(drop);
      return true;
    }
    edits.rollback(drop);
  }
  return false;
}

LogicalResult Rematerializer::fit(uint64_t target) {
  while (true) {
    FailureOr<Timeline> timeline = measure();
    if (failed(timeline))
      return failure();
    const LiveSet set = findLargestLiveSet(timeline->blocks);
    if (set.bytes <= target)
      return success();
    FailureOr<bool> isLess = lessen(*timeline, set, target);
    if (failed(isLess) || !*isLess)
      return isLess;
  }
}

/// A kernel that is computed again has a name of its own.
void Rematerializer::nameCopies() {
  llvm::StringSet<> names;
  unsigned counter = 0;
  function.walk([&](KernelOp kernel) {
    if (!names.insert(kernel.getSym()).second) {
      auto isTaken = [&](StringRef name) { return names.contains(name); };
      kernel.setSym(SymbolTable::generateSymbolName<32>(kernel.getSym(),
                                                        isTaken, counter));
      names.insert(kernel.getSym());
    }
  });
}

FailureOr<RematReport> Rematerializer::run() {
  RematReport report;
  uint64_t kernels = 0;
  auto pack = [&]() -> FailureOr<uint64_t> {
    FailureOr<Timeline> timeline = measure();
    if (failed(timeline))
      return failure();
    return packArena(timeline->blocks);
  };
  if (options.cheap && failed(dropCheap()))
    return failure();
  countKernels(function, kernels, report.flopsBefore);
  FailureOr<uint64_t> arena = pack();
  if (failed(arena))
    return failure();
  report.arenaBefore = *arena;
  if (!options.nodes.empty() && (failed(dropNodes()) || failed(arena = pack())))
    return failure();
  // The target is lowered gradually: the cheapest values for a large reduction
  // are not the cheapest for a small one.
  uint64_t target = *arena, least = *arena;
  while (target > options.budget) {
    target = std::max(options.budget, target - target / 16);
    if (failed(fit(target)))
      return failure();
  }
  // The packing may need slightly more than the largest live set; lowering the
  // target also gives steps another chance that did not help before.
  for (int round = 0; *arena > options.budget && round < kMostRounds; ++round) {
    if (failed(fit(target)) || failed(arena = pack()))
      return failure();
    least = std::min(least, *arena);
    const uint64_t excess =
        *arena > options.budget ? *arena - options.budget : 0;
    target -= std::min(target, std::max(target / 16, excess));
  }
  nameCopies();
  report.arenaAfter = *arena > options.budget ? least : *arena;
  countKernels(function, report.kernels, report.flopsAfter);
  report.kernels -= std::min(report.kernels, kernels);
  return report;
}

struct Rematerialize final : impl::RematerializePassBase<Rematerialize> {
  using RematerializePassBase::RematerializePassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    RematOptions options;
    options.cheap = cheap;
    if (budget >= 0)
      options.budget = static_cast<uint64_t>(budget);
    options.nodes.assign(nodes.begin(), nodes.end());
    auto launchesOf = [](KernelOp) -> FailureOr<KernelLaunches> {
      KernelLaunches launches;
      launches.launches.emplace_back();
      return launches;
    };
    FailureOr<RematReport> report =
        rematerialize(function, launchesOf, options);
    if (failed(report))
      return signalPassFailure();
    if (report->arenaAfter > options.budget) {
      function.emitError("the arena needs ")
          << report->arenaAfter << " bytes, "
          << report->arenaAfter - options.budget << " more than the budget of "
          << options.budget;
      signalPassFailure();
    }
  }
};

} // namespace

FailureOr<RematReport>
rematerialize(func::FuncOp function,
              function_ref<FailureOr<KernelLaunches>(KernelOp)> launchesOf,
              const RematOptions &options) {
  return Rematerializer(function, launchesOf, options).run();
}

} // namespace gensyn::codegen

#undef DEBUG_TYPE
