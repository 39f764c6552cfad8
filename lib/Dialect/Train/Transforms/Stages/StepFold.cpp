// See StepFold.h.

#include "StepFold.h"

#include "Gradients.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Numerics/Sizes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

/// What an op depends on.
namespace {
enum Origin : uint8_t { FromParameters = 1, FromInputs = 2, FromSums = 4 };
} // namespace

/// A value takes less to compute than to send up to this number of operations
/// for each of its bytes: a core does some 10^11 in the second in which a
/// network sends some 10^9 bytes.
static constexpr int64_t kOperationsPerByte = 64;

static uint8_t originOf(func::FuncOp function, BlockArgument argument) {
  const unsigned number = argument.getArgNumber();
  if (nameOfArgument(function, number).starts_with(kSumPrefix))
    return FromSums;
  switch (program::getRole(function, number).value_or(Role::Parameter)) {
  case Role::Input:
  case Role::Target:
  case Role::Key:
  case Role::Step:
    return FromInputs;
  default:
    return FromParameters;
  }
}

static int64_t operationsOf(Operation *op) {
  auto cost = dyn_cast<repro::CostOpInterface>(op);
  return cost ? cost.getFlops() : 0;
}

static int64_t resultBytes(Operation *op) {
  int64_t bytes = 0;
  for (Value result : op->getResults())
    bytes = saturatingAdd(bytes, repro::bytesOf(result));
  return bytes;
}

std::optional<unsigned> StepFold::definition(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || isCopied(op))
    return std::nullopt;
  return numberOf(op);
}

Value StepFold::parameterOf(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return originOf(microbatch, argument) == FromParameters ? value : Value();
  return infos[numberOf(value.getDefiningOp())].parameter;
}

template <class Call>
void StepFold::forEachReader(unsigned number, Call call) const {
  for (Operation *user : ops[number]->getUsers())
    if (auto found = numbers.find(user); found != numbers.end())
      call(found->second);
}

/// Copied ops read copied ones only. So the values of all others depend on
/// inputs and parameters, or are dear.
void StepFold::findCopied() {
  for (auto [number, op] : llvm::enumerate(ops)) {
    Info &info = infos[number];
    bool isCopied = isPure(op);
    int64_t largest = -1;
    info.work = operationsOf(op);
    for (Value operand : op->getOperands()) {
      if (auto argument = dyn_cast<BlockArgument>(operand)) {
        info.origin |= originOf(microbatch, argument);
      } else {
        const Info &source = infos[numberOf(operand.getDefiningOp())];
        info.origin |= source.origin;
        info.work = saturatingAdd(info.work, source.work);
        isCopied &= source.kind == Kind::Copied;
      }
      Value parameter = parameterOf(operand);
      if (parameter && repro::bytesOf(parameter) > largest) {
        info.parameter = parameter;
        largest = repro::bytesOf(parameter);
      }
    }
    isCopied &= info.origin == 0 || info.origin == FromParameters ||
                info.origin == FromInputs;
    isCopied &=
        info.work <= saturatingMultiply(resultBytes(op), kOperationsPerByte);
    if (isCopied)
      info.kind = Kind::Copied;
    else
      info.parameter = nullptr;
  }
}

/// Returns false if there is no loss.
bool StepFold::findForward(func::FuncOp update) {
  const llvm::StringSet<> sums = findLossSums(update);
  SmallVector<Value> pending;
  for (auto [number, value] : llvm::enumerate(
           microbatch.getBody().front().getTerminator()->getOperands()))
    if (sums.contains(nameOfResult(microbatch, number)))
      pending.push_back(value);
  while (!pending.empty()) {
    auto number = definition(pending.pop_back_val());
    if (!number || infos[*number].kind == Kind::Forward)
      continue;
    infos[*number].kind = Kind::Forward;
    forward.push_back(*number);
    llvm::append_range(pending, ops[*number]->getOperands());
  }
  return !forward.empty();
}

/// Forward ops have the order of the program, but for those of inputs alone or
/// of parameters alone, which the program may have far from their use: they
/// stand in front of their first reader.
void StepFold::orderForward() {
  auto isFree = [&](unsigned number) {
    const uint8_t origin = infos[number].origin;
    return origin == 0 || origin == FromParameters || origin == FromInputs;
  };
  std::vector<unsigned> before(ops.size());
  llvm::sort(forward);
  for (unsigned number : llvm::reverse(forward)) {
    before[number] = isFree(number) ? ~0U : number;
    if (isFree(number))
      forEachReader(number, [&](unsigned reader) {
        if (infos[reader].kind == Kind::Forward)
          before[number] = std::min(before[number], before[reader]);
      });
  }
  llvm::sort(forward, [&](unsigned a, unsigned b) {
    return std::tuple(before[a], !isFree(a), a) <
           std::tuple(before[b], !isFree(b), b);
  });
  for (auto [place, number] : llvm::enumerate(forward))
    infos[number].place = static_cast<unsigned>(place);
}

void StepFold::findReaders() {
  for (auto [place, number] : llvm::enumerate(forward))
    for (Value operand : ops[number]->getOperands())
      if (Value parameter = parameterOf(operand))
        readers[parameter].push_back(static_cast<unsigned>(place));
}

/// A gradient is added to its sum where its parameter is, and what it alone
/// depends on is computed there or before.
void StepFold::findFloors(func::FuncOp update) {
  const llvm::StringMap<StringRef> gradients = findGradients(update);
  llvm::StringMap<unsigned> firsts;
  for (BlockArgument argument : microbatch.getArguments())
    if (auto found = readers.find(argument); found != readers.end())
      firsts[nameOfArgument(microbatch, argument.getArgNumber())] =
          found->second.front();
  for (BlockArgument argument : microbatch.getArguments()) {
    auto parameter =
        gradients.find(nameOfArgument(microbatch, argument.getArgNumber()));
    auto first = parameter == gradients.end() ? firsts.end()
                                              : firsts.find(parameter->second);
    if (first != firsts.end())
      for (Operation *user : argument.getUsers())
        if (auto found = numbers.find(user); found != numbers.end())
          infos[found->second].floor = first->second;
  }
  for (unsigned number = static_cast<unsigned>(ops.size()); number-- > 0;)
    if (infos[number].kind == Kind::Backward)
      forEachReader(number, [&](unsigned reader) {
        // No floor is less than any.
        infos[number].floor =
            std::max(infos[number].floor, infos[reader].floor);
      });
}

/// Places the backward ops that read forward values or parameters; others get
/// the last place that is possible.
void StepFold::placeReaders() {
  for (auto [number, op] : llvm::enumerate(ops)) {
    Info &info = infos[number];
    if (info.kind != Kind::Backward)
      continue;
    info.place = length() - 1;
    for (Value operand : op->getOperands())
      if (auto source = definition(operand);
          source && infos[*source].kind == Kind::Backward)
        info.place = std::min(info.place, infos[*source].place);
    std::optional<unsigned> last;
    for (Value operand : op->getOperands()) {
      if (auto source = definition(operand);
          source && infos[*source].kind == Kind::Forward)
        last = std::max(last.value_or(0), infos[*source].place);
      auto found = readers.find(parameterOf(operand));
      if (found == readers.end())
        continue;
      // Where the parameter is, as near as possible.
      auto next = llvm::upper_bound(found->second, info.place);
      last = std::max(last.value_or(0),
                      next == found->second.begin() ? *next : *std::prev(next));
    }
    if (!last)
      continue;
    info.isAnchored = true;
    info.place = std::min(info.place, std::max(*last, info.floor.value_or(0)));
  }
}

void StepFold::noteReader(unsigned number) {
  for (Value operand : ops[number]->getOperands())
    if (auto source = definition(operand))
      infos[*source].lowestReader =
          std::min(infos[*source].lowestReader, infos[number].place);
}

/// The least bytes from which each op's results can be had elsewhere: those of
/// the results, or of what they are computed from. A parameter is never sent.
void StepFold::findSmallestSources() {
  for (auto [number, op] : llvm::enumerate(ops)) {
    Info &info = infos[number];
    info.smallest = resultBytes(op);
    if (info.kind == Kind::Backward)
      if (auto bytes = bytesTo(number, 0))
        info.smallest = std::min(info.smallest, *bytes);
  }
}

/// The bytes that come to an op if it is at `first`, lower than its place, and
/// would not be there without it; none if it reads a parameter.
std::optional<int64_t> StepFold::bytesTo(unsigned number,
                                         unsigned first) const {
  int64_t bytes = 0;
  llvm::SmallDenseSet<Value> seen;
  for (Value operand : ops[number]->getOperands()) {
    if (readers.contains(parameterOf(operand)))
      return std::nullopt;
    auto source = definition(operand);
    if (!source || !seen.insert(operand).second)
      continue;
    const Info &info = infos[*source];
    if (info.kind == Kind::Forward ? info.place > first
                                   : info.lowestReader > first)
      bytes = saturatingAdd(bytes,
                            std::min(info.smallest, repro::bytesOf(operand)));
  }
  return bytes;
}

/// Moves backward ops to those that read their results where that takes fewer
/// bytes than to send these; where it takes as many only the ops that read
/// backward values alone, so that gradients stay with their parameters.
void StepFold::moveToReaders() {
  for (unsigned number = 0; number < ops.size(); ++number)
    if (infos[number].isAnchored)
      noteReader(number);
  for (unsigned number = static_cast<unsigned>(ops.size()); number-- > 0;) {
    Info &info = infos[number];
    if (info.kind != Kind::Backward)
      continue;
    // A result's place is where its sum is.
    std::optional<unsigned> low = info.floor;
    forEachReader(number, [&](unsigned reader) {
      low = std::max(low, std::optional(infos[reader].place));
    });
    const unsigned first = std::min(info.place, low.value_or(info.place));
    const auto bytes = bytesTo(number, first);
    const int64_t limit = resultBytes(ops[number]) - (info.isAnchored ? 1 : 0);
    if (bytes && *bytes <= limit)
      info.place = first;
    noteReader(number);
  }
}

void StepFold::measure() {
  std::vector<int64_t> change(length() + 1, 0);
  for (auto [number, op] : llvm::enumerate(ops)) {
    if (infos[number].kind == Kind::Copied)
      continue;
    const unsigned own = infos[number].place;
    costs[own] = saturatingAdd(costs[own], operationsOf(op));
    for (Value result : op->getResults()) {
      unsigned first = own, last = own;
      for (Operation *user : result.getUsers())
        if (auto found = numbers.find(user); found != numbers.end()) {
          first = std::min(first, infos[found->second].place);
          last = std::max(last, infos[found->second].place);
        }
      const int64_t bytes = repro::bytesOf(result);
      change[first + 1] = saturatingAdd(change[first + 1], bytes);
      if (last + 1 <= length())
        change[last + 1] -= bytes;
    }
  }
  int64_t crosses = 0;
  for (unsigned place = 0; place < length(); ++place)
    crossing.push_back(crosses = saturatingAdd(crosses, change[place]));
}

std::vector<unsigned> StepFold::earliestStarts(int64_t most) const {
  func::FuncOp function = microbatch;
  std::vector<SmallVector<Value, 1>> readAt(length());
  for (BlockArgument argument : function.getArguments())
    if (auto found = readers.find(argument);
        found != readers.end() &&
        originOf(microbatch, argument) == FromParameters)
      for (unsigned place : found->second)
        readAt[place].push_back(argument);
  // A window of places that moves on; how often it reads each parameter.
  llvm::DenseMap<Value, unsigned> reads;
  std::vector<unsigned> starts = {0};
  int64_t bytes = 0;
  unsigned first = 0;
  for (unsigned end = 0; end < length(); ++end) {
    for (Value parameter : readAt[end])
      if (reads[parameter]++ == 0)
        bytes = saturatingAdd(bytes, repro::bytesOf(parameter));
    for (; bytes > most; ++first)
      for (Value parameter : readAt[first])
        if (--reads[parameter] == 0)
          bytes -= repro::bytesOf(parameter);
    starts.push_back(first);
  }
  return starts;
}

LogicalResult StepFold::build(func::FuncOp function, func::FuncOp update) {
  microbatch = function;
  for (Operation &op : microbatch.getBody().front().without_terminator()) {
    numbers[&op] = static_cast<unsigned>(ops.size());
    ops.push_back(&op);
  }
  infos.resize(ops.size());
  findCopied();
  if (!findForward(update))
    return emitError(microbatch.getLoc(),
                     "the step has no loss, which tells forward "
                     "from backward ops");
  costs.assign(forward.size(), 0);
  orderForward();
  findReaders();
  findFloors(update);
  placeReaders();
  findSmallestSources();
  moveToReaders();
  measure();
  return success();
}
