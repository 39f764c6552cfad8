// Runs both sides of a pass on the same inputs.

#include "Report.h"

#include "gensyn/CheckBits/Inputs.h"
#include "gensyn/CheckBits/RunPlan.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/Sizes.h"
#include "gensyn/Reference/StatedInputs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace gensyn::checkbits {

/// The values of the arguments' `gensyn.input`; nothing if one is missing.
static std::optional<std::vector<Tensor>>
statedInputs(const Callable &callable) {
  auto function = dyn_cast_or_null<func::FuncOp>(callable.op);
  if (!function || function.getNumArguments() != callable.inputs.size() ||
      callable.inputs.empty())
    return std::nullopt;
  unsigned missing = 0;
  return reference::getStatedInputs(function, missing);
}

static std::vector<Tensor> inputsFor(const Callable &callable, uint64_t seed,
                                     unsigned trial) {
  std::vector<Tensor> inputs;
  for (auto [i, spec] : llvm::enumerate(callable.inputs))
    inputs.push_back(
        makeInput(spec.type, spec.shape, static_cast<Mix>(trial % kNumMixes),
                  seed * 0x9E3779B97F4A7C15 + trial * 0xD1B54A32D192ED03 + i));
  return inputs;
}

static std::string describeFault(uint64_t position) {
  return position == kNoFault ? "none" : "element " + std::to_string(position);
}

/// Describes the first fault slot that differs; empty if none does.
static std::string findFaultDifference(ArrayRef<uint64_t> expected,
                                       const Runner &after) {
  if (expected.size() != after.faults->size())
    return "";
  for (auto [slot, want, found] : llvm::enumerate(expected, *after.faults)) {
    if (want == found)
      continue;
    std::string text = "fault " + std::to_string(slot) + ": expected " +
                       describeFault(want) + ", found " + describeFault(found);
    const std::string tasks = after.describeCounters(
        uint32_t(slot), found == kNoFault ? want : found);
    return text + (tasks.empty() ? "" : "; " + tasks);
  }
  return "";
}

std::optional<Finding> Comparison::compareTrial(Runner &before, Runner &after,
                                                const Callable &callable,
                                                const Callable &other,
                                                unsigned trial,
                                                std::vector<Tensor> inputs) {
  auto expected = before.run(callable, inputs);
  if (!expected) { // cannot run before the pass: nothing to compare
    llvm::consumeError(expected.takeError());
    return std::nullopt;
  }
  Finding finding;
  finding.callable = callable.name;
  finding.trial = trial;
  finding.inputs = std::move(inputs);
  auto found = after.run(other, finding.inputs);
  if (!found) {
    finding.error = llvm::toString(found.takeError());
    return finding;
  }
  finding.difference = findDifference(*expected, *found);
  if (finding.difference)
    finding.writer = after.describeWriter(*finding.difference);
  else if (before.faults && after.faults)
    finding.fault = findFaultDifference(*before.faults, after);
  if (!finding.difference && finding.fault.empty())
    return std::nullopt;
  return finding;
}

/// True if both sides are small enough to run on all inputs within the
/// remaining budget.
bool Comparison::isAffordable(const Callable &callable, const Callable &other) {
  constexpr int64_t mostBytes = int64_t{1} << 28;
  auto leaveOut = [&](const char *what, int64_t found, int64_t limit) {
    if (leftOut.empty())
      leftOut = llvm::formatv("'{0}', which {1} {2}, of {3}", callable.name,
                              what, found, limit);
    return false;
  };
  if (int64_t bytes = std::max(callable.bytes, other.bytes); bytes > mostBytes)
    return leaveOut("takes bytes of tensors:", bytes, mostBytes);
  // One more for inputs that the function specifies.
  const int64_t work = saturatingMultiply(
      int64_t{options.trials} + 1, saturatingAdd(callable.work, other.work));
  if (options.work == 0)
    return true;
  if (work > workLeft)
    return leaveOut("computes elements and operations:", work, workLeft);
  workLeft -= work;
  return true;
}

std::optional<Finding> Comparison::compareCallable(Runner &before,
                                                   Runner &after,
                                                   const Callable &callable,
                                                   const Callable &other) {
  if (callable.inputs != other.inputs || callable.outputs != other.outputs)
    return std::nullopt; // another signature, so another function
  if (!isAffordable(callable, other))
    return std::nullopt;
  ++compared;
  if (auto stated = statedInputs(callable))
    if (auto finding =
            compareTrial(before, after, callable, other, 0, std::move(*stated)))
      return finding;
  for (unsigned trial = 0; trial < options.trials; ++trial)
    if (auto finding = compareTrial(before, after, callable, other, trial,
                                    inputsFor(callable, options.seed, trial)))
      return finding;
  return std::nullopt;
}

/// True for a pair of kernels inside functions, which is skipped. The results
/// of the functions are more reliable, since a kernel's name may denote another
/// kernel after the pass. Kernels are compared once one of them becomes a
/// function.
static bool areKernels(const Callable &callable, const Callable &other) {
  return isa<repro::KernelOp>(callable.op) && isa<repro::KernelOp>(other.op);
}

std::optional<Finding> Comparison::compare(ModuleOp before, ModuleOp after) {
  compared = 0;
  leftOut.clear();
  auto first = makeRunner(before, known), second = makeRunner(after, known);
  if (!first || !*first) {
    if (!first)
      llvm::consumeError(first.takeError());
    if (!second)
      llvm::consumeError(second.takeError());
    return std::nullopt;
  }
  if (!second) {
    Finding finding;
    finding.error = llvm::toString(second.takeError());
    return finding;
  }
  if (!*second)
    return std::nullopt;
  for (const Callable &callable : (*first)->callables)
    if (const Callable *other = (*second)->find(callable.name);
        other && !areKernels(callable, *other))
      if (auto finding = compareCallable(**first, **second, callable, *other))
        return finding;
  return std::nullopt;
}

std::optional<Finding> Comparison::compareOn(ModuleOp before, ModuleOp after,
                                             StringRef callable,
                                             ArrayRef<Tensor> inputs) {
  auto first = makeRunner(before, known), second = makeRunner(after, known);
  if (!first || !second) {
    if (!first)
      llvm::consumeError(first.takeError());
    if (!second)
      llvm::consumeError(second.takeError());
    return std::nullopt;
  }
  if (!*first || !*second)
    return std::nullopt;
  const Callable *one = (*first)->find(callable),
                 *other = (*second)->find(callable);
  if (!one || !other || one->inputs != other->inputs ||
      one->outputs != other->outputs)
    return std::nullopt;
  return compareTrial(**first, **second, *one, *other, 0, inputs.vec());
}

} // namespace gensyn::checkbits
