// An op that runs a program of its own: its iterations, and the values of one;
// see Dispute.h.

#include "Limits.h"
#include "Settler.h"

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Proof/Trees/ListTree.h"
#include "gensyn/Runtime/Training/RunWitness.h"

#include <algorithm>

namespace gensyn::proof {

static bool isTrue(const Digest &digest) {
  static const Digest yes =
      digestTensor(runtime::witnessTensor(gensyn::Tensor::scalar(true)));
  return digest == yes;
}

static Digest digestCarried(const std::vector<Digest> &carried) {
  ListTree list("carried");
  for (const Digest &digest : carried)
    list.add(std::string(digest.begin(), digest.end()));
  return list.root();
}

std::vector<Digest> Settler::askCarried(Side side, const IteratedOp &op,
                                        uint64_t iteration,
                                        const Digest &root) {
  std::vector<Digest> carried;
  if (iteration == 0) {
    for (uint32_t operand : op.iterations.initial())
      carried.push_back(op.operands.at(operand));
    return carried;
  }
  carried = readDigests(
      side,
      asker.iterations(side, place(), op.value, {iteration}, true).tensors());
  if (digestCarried(carried) != root)
    throw Wrong{side, "shows other values after iteration " +
                          std::to_string(iteration) +
                          " than those that it claimed"};
  return carried;
}

Settler::Both<std::vector<Digest>>
Settler::askRoots(const IteratedOp &op,
                  const std::vector<uint64_t> &iterations) {
  Both<std::vector<Digest>> roots;
  for (Side side : kSides) {
    roots[side] = readDigests(
        side,
        asker.iterations(side, place(), op.value, iterations, false).roots());
    if (roots[side].size() != iterations.size())
      throw Wrong{side,
                  "claims something of " + std::to_string(roots[side].size()) +
                      " iterations of " + std::to_string(iterations.size())};
  }
  return roots;
}

Verdict Settler::settleIterations(Side giver, uint64_t value, Located located) {
  say("comparing the iterations of value " + std::to_string(value));
  IteratedOp op;
  op.value = value;
  op.firstValue = located.request.text().first_value();
  op.operands = std::move(located.operands);
  // The program of one, which follows from the op and from what it chooses by.
  plan::EvaluateRequest request = std::move(located.request);
  const plan::OpIterations &told = *located.iterations;
  request.set_variant(
      told.has_choice() && !isTrue(op.operands.at(told.choice())) ? 1 : 0);
  try {
    op.iterations = options.compiler->evaluate(request).iterations();
  } catch (const Failure &failure) {
    // The op is the program's, which locate() has shown.
    if (failure.code == ExitCode::BadInput)
      throw Failure(ExitCode::Bug, failure.what());
    throw TooLong{giver, failure.what()};
  }
  Both<uint64_t> counts;
  for (Side side : kSides) {
    counts[side] = asker.iterations(side, place(), value, {}, false).count();
    const bool isFixed = !op.iterations.has_flag();
    if (counts[side] > op.iterations.most() ||
        (isFixed && counts[side] != op.iterations.most()))
      throw Wrong{side, "claims " + std::to_string(counts[side]) +
                            " iterations of an op that has " +
                            (isFixed ? "" : "at most ") +
                            std::to_string(op.iterations.most())};
  }
  uint64_t begin = 0, end = std::min(counts.first, counts.second);
  Digest before = digestCarried(askCarried(Side::First, op, 0, {}));
  if (end == 0)
    return settleEnd(op, counts, before);
  Both<std::vector<Digest>> roots = askRoots(op, {end});
  Both<Digest> after = {roots.first.front(), roots.second.front()};
  if (after.first == after.second)
    return settleEnd(op, counts, after.first);
  while (end - begin > 1) {
    const uint64_t outerBegin = begin, outerEnd = end;
    const std::vector<uint64_t> chosen =
        chooseEvenly(begin, end, mostIterations);
    roots = askRoots(op, chosen);
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (roots.first[i] != roots.second[i]) {
        end = chosen[i];
        after = {roots.first[i], roots.second[i]};
        break;
      }
      begin = chosen[i];
      before = roots.first[i];
    }
    found.rounds.push_back({"iterations", outerBegin, outerEnd, begin, end});
  }
  return settleIteration(op, end, before, after);
}

Verdict Settler::settleEnd(const IteratedOp &op, const Both<uint64_t> &counts,
                           const Digest &root) {
  const uint64_t count = std::min(counts.first, counts.second);
  const std::vector<Digest> carried = askCarried(Side::First, op, count, root);
  auto carriedAt = [&](uint32_t number) {
    if (number >= carried.size())
      throw Wrong{Side::First, "carries fewer values than the op"};
    return carried[number];
  };
  if (counts.first != counts.second) {
    // Only with a flag.
    const Side shorter =
        counts.first < counts.second ? Side::First : Side::Second;
    const Side longer = shorter == Side::First ? Side::Second : Side::First;
    if (isTrue(carriedAt(op.iterations.flag())))
      return blame(shorter, "ends after " + std::to_string(count) +
                                " iterations, and there is another one");
    return blame(longer, "does not end after " + std::to_string(count) +
                             " iterations, and there is no other one");
  }
  const uint64_t result = op.value - op.firstValue;
  Both<Digest> claimed;
  for (Side side : kSides)
    claimed[side] = readDigest(
        side, entry(side, dispute::VALUES, op.value, frame.values[side]));
  if (result >= uint64_t(op.iterations.results_size()))
    throw Failure(ExitCode::Bug, "an op has fewer results than iterations");
  return compareClaims(claimed, carriedAt(op.iterations.results(int(result))),
                       "claims another result than that of the last iteration");
}

Verdict Settler::settleIteration(const IteratedOp &op, uint64_t iteration,
                                 const Digest &before,
                                 const Both<Digest> &after) {
  const std::vector<Digest> carriedBefore =
      askCarried(Side::First, op, iteration - 1, before);
  Both<std::vector<Digest>> carried;
  for (Side side : kSides)
    carried[side] = askCarried(side, op, iteration, after[side]);
  Frame inner;
  inner.path = frame.path;
  inner.path.emplace_back();
  inner.path.back().set_value(op.value);
  inner.path.back().set_iteration(iteration);
  const std::optional<ProgramHeader> read =
      readProgramHeader(op.iterations.header());
  if (!read || op.iterations.root().size() != inner.root.size())
    throw Failure(ExitCode::Bug, "an iteration has no program");
  inner.header = *read;
  std::ranges::copy(op.iterations.root(), inner.root.begin());
  found.path.push_back({op.value, iteration, found.operation});
  frame = std::move(inner);
  for (Side side : kSides)
    frame.values[side] =
        readDigest(side, asker.program(side, place()).values_root());
  if (frame.values.first == frame.values.second)
    return settleCarried(carried);
  const Leaf leaf = descend(dispute::VALUES, frame.header.values, frame.values);
  found.value = leaf.number;
  return leaf.number < frame.header.arguments.size()
             ? settleNestedArgument(op, iteration, carriedBefore, leaf)
             : settleValue(leaf);
}

Verdict Settler::settleNestedArgument(const IteratedOp &op, uint64_t iteration,
                                      const std::vector<Digest> &before,
                                      const Leaf &leaf) {
  using Argument = plan::OpIterations::Argument;
  const Argument &argument = op.iterations.arguments(int(leaf.number));
  Digest right = {};
  std::string source;
  switch (argument.kind()) {
  case Argument::INDEX:
    right = digestTensor(
        runtime::witnessTensor(gensyn::Tensor::scalar(int64_t(iteration - 1))));
    source = "the number of iterations before is another one";
    break;
  case Argument::CARRIED:
    if (argument.number() >= before.size())
      throw Wrong{Side::First, "carries fewer values than the op"};
    right = before[argument.number()];
    source = "the iteration before, on which both agree, has another one";
    break;
  default:
    right = op.operands.at(argument.number());
    source = "the op reads another one";
  }
  found.op.clear();
  found.operation = "input " + std::to_string(leaf.number);
  Both<Digest> claimed;
  for (Side side : kSides)
    claimed[side] = readDigest(
        side, entry(side, dispute::VALUES, leaf.number, frame.values[side]));
  return compareClaims(claimed, right,
                       "computes an iteration with an " + found.operation +
                           " that is not its own: " + source);
}

Verdict Settler::settleCarried(const Both<std::vector<Digest>> &carried) {
  const std::vector<ProgramHeader::Result> &results = frame.header.results;
  for (Side side : kSides)
    if (carried[side].size() != results.size())
      throw Wrong{side, "carries " + std::to_string(carried[side].size()) +
                            " values, and an iteration returns " +
                            std::to_string(results.size())};
  for (size_t i = 0; i < results.size(); ++i) {
    if (carried.first[i] == carried.second[i])
      continue;
    const Digest right =
        results[i].value
            ? readDigest(Side::First,
                         entry(Side::First, dispute::VALUES, *results[i].value,
                               frame.values.first))
            : results[i].constant;
    found.value.reset();
    found.op.clear();
    found.operation = "value " + std::to_string(i) + " that is carried on";
    return compareClaims({carried.first[i], carried.second[i]}, right,
                         "has another value after the iteration than the "
                         "iteration computed");
  }
  throw Failure(ExitCode::Bug, "iterations that differ have the same values");
}

} // namespace gensyn::proof
