// See DividedUpdate.h.

#include "DividedUpdate.h"

#include "ArrivingRanges.h"
#include "Tags.h"
#include "gensyn/Executable/Support/AlignedMemory.h"
#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gensyn::runtime {

using Kind = PartInput::Kind;

/// What the stages of an update read and write.
struct DividedUpdate::Run {
  const SumExchange &exchange;
  const Sums &totals;
  std::span<Value> passed;
  std::span<Value *const> kept;
  std::span<const Tensor> staged;
  std::span<Value> outputs;
  /// For each input of the step that is cut, its elements.
  std::vector<Tensor> whole;
};

static int64_t countOf(const Port &port) {
  return gensyn::countElements(port.shape).value_or(0);
}

DividedUpdate::DividedUpdate(const Signature &step, std::span<const Port> sums,
                             std::vector<std::unique_ptr<Program>> programs,
                             const TensorCuts &cuts, std::vector<bool> gathered,
                             const Islands &islands,
                             communication::Communicator &ranks)
    : ranks(ranks), step(step), gathered(std::move(gathered)),
      islands(islands) {
  for (const Port &port : step.inputs)
    cutOfInput.push_back(cuts.find(port.name, countOf(port)));
  for (size_t i = 0; i < sums.size(); ++i)
    cutOfSum.push_back(cuts.find(nameOfSum(i), countOf(sums[i])));
  for (size_t i = 0; const Cut *cut = cuts.find(nameOfPartial(i)); ++i)
    partials.push_back({Tensor(), cut, programs.size()});
  for (std::unique_ptr<Program> &program : programs)
    stages.emplace_back().program = std::move(program);
  if (stages.empty())
    failParts("have no update");
  for (size_t i = 0; i < stages.size(); ++i)
    bind(i, sums);
  for (const Partial &partial : partials)
    for (const Range &range : *partial.cut)
      if (range.begin < 0 || range.count < 0 ||
          range.count > partial.whole.numElements() - range.begin)
        failParts("exchange other values");
  for (const Stage &stage : stages)
    for (const Port &port : stage.program->signature().outputs)
      if (auto number = numberOfPartial(port.name))
        if (*number >= partials.size() ||
            partials[*number].whole.elementType() != port.type ||
            (*partials[*number].cut)[size_t(ranks.rank())].count !=
                countOf(port))
          failParts("exchange " + quote(port.name) + " as another value");
}

/// Checks types and shapes; plans may come from files.
void DividedUpdate::bind(size_t number, std::span<const Port> sums) {
  Stage &stage = stages[number];
  const Signature &ports = stage.program->signature();
  stage.inputs = bindInputs(*stage.program, step);
  auto check = [&](const Port &port, const Port &of, const Cut *cut) {
    std::vector<int64_t> shape = of.shape;
    if (cut && (*cut)[size_t(ranks.rank())].count != countOf(of))
      shape = {(*cut)[size_t(ranks.rank())].count};
    const bool isFlat = cut && port.shape == std::vector<int64_t>{countOf(of)};
    if (port.type != of.type || (port.shape != shape && !isFlat))
      failParts("update " + quote(of.name) + " as another tensor");
  };
  for (size_t i = 0; i < stage.inputs.size(); ++i) {
    const Port &port = ports.inputs[i];
    const auto [kind, index] = stage.inputs[i];
    switch (kind) {
    case Kind::Step:
      check(port, step.inputs[index], cutOfInput[index]);
      break;
    case Kind::Sum:
      if (index >= sums.size())
        failParts("read " + quote(port.name));
      check(port, sums[index], cutOfSum[index]);
      break;
    case Kind::Partial:
      if (index >= partials.size())
        failParts("read " + quote(port.name));
      if (partials[index].stage < number)
        break;
      partials[index].stage = number;
      partials[index].whole = Tensor(port.type, port.shape);
      break;
    case Kind::Passed:
      break;
    default:
      failParts("read " + quote(port.name));
    }
  }
  for (const Port &port : ports.outputs) {
    if (numberOfPartial(port.name)) {
      stage.outputs.push_back(-1);
      continue;
    }
    int found = -1;
    for (size_t j = 0; j < step.outputs.size(); ++j)
      if (step.outputs[j].name == port.name &&
          step.outputs[j].role == port.role)
        found = int(j);
    if (found < 0 || &stage != &stages.back())
      failParts("have other results");
    const int input = step.donated[size_t(found)];
    check(port, step.outputs[size_t(found)],
          input < 0 ? nullptr : cutOfInput[size_t(input)]);
    stage.outputs.push_back(found);
  }
}

void DividedUpdate::runStage(Stage &stage, Run &run) {
  const Signature &ports = stage.program->signature();
  const auto rank = size_t(ranks.rank());
  auto rangeOf = [&](size_t input) {
    const Port &port = step.inputs[input];
    return run.whole[input].data() +
           (*cutOfInput[input])[rank].begin * byteWidth(port.type);
  };
  std::vector<Tensor> views(ports.inputs.size());
  std::vector<Value> ranges(ports.inputs.size());
  std::vector<const Tensor *> inputs(ports.inputs.size(), nullptr);
  std::vector<Value *> values(ports.inputs.size(), nullptr);
  for (size_t i = 0; i < stage.inputs.size(); ++i) {
    const Port &port = ports.inputs[i];
    const auto [kind, index] = stage.inputs[i];
    auto view = [&](const std::byte *bytes) {
      views[i] = Tensor::view(port.type, port.shape, bytes, nullptr);
      inputs[i] = &views[i];
    };
    if (kind == Kind::Sum && cutOfSum[index]) {
      view(run.exchange.ownRange(index));
    } else if (kind == Kind::Sum) {
      view(run.totals[index].data());
    } else if (kind == Kind::Partial) {
      inputs[i] = &partials[index].whole;
    } else if (kind == Kind::Passed) {
      inputs[i] = &run.passed[index].read();
    } else if (cutOfInput[index]) {
      ranges[i] = Value(Tensor::over(port.type, port.shape, rangeOf(index)));
      values[i] = &ranges[i];
    } else if (run.kept[index]) {
      values[i] = run.kept[index];
    } else {
      inputs[i] = &run.staged[index];
    }
  }
  std::vector<Value> results;
  for (size_t j = 0; j < ports.outputs.size(); ++j) {
    const int output = stage.outputs[j];
    const bool isCut =
        output < 0 || (step.donated[size_t(output)] >= 0 &&
                       cutOfInput[size_t(step.donated[size_t(output)])]);
    if (isCut)
      results.emplace_back(ports.outputs[j].type, ports.outputs[j].shape);
    else
      results.push_back(std::move(run.outputs[size_t(output)]));
  }
  stage.program->stage(inputs);
  stage.program->begin(values, results);
  stage.program->end();

  for (size_t j = 0; j < ports.outputs.size(); ++j) {
    const int output = stage.outputs[j];
    std::byte *to = nullptr;
    if (output < 0) {
      Partial &partial = partials[*numberOfPartial(ports.outputs[j].name)];
      to = CutBytes{partial.whole.data(),
                    byteWidth(partial.whole.elementType()), partial.cut}
               .range(ranks.rank())
               .data();
    } else if (const int input = step.donated[size_t(output)];
               input >= 0 && cutOfInput[size_t(input)]) {
      to = rangeOf(size_t(input));
    }
    if (!to) {
      run.outputs[size_t(output)] = std::move(results[j]);
      continue;
    }
    // Results that replace their operand are there already.
    const Tensor &made = results[j].read();
    if (made.data() != to)
      std::memcpy(to, made.data(), size_t(made.byteSize()));
  }
}

void DividedUpdate::forget(std::span<Value *const> kept) const {
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    if (!isCut(i))
      continue;
    Tensor whole = takeTensor(*kept[i]);
    const CutBytes bytes = {whole.data(), byteWidth(step.inputs[i].type),
                            cutOfInput[i]};
    for (int rank = 0; rank < ranks.size(); ++rank)
      if (const auto range = bytes.range(rank);
          rank != ranks.rank() && !range.empty())
        releasePages(range.data(), range.size());
    *kept[i] = Value(std::move(whole));
  }
}

void DividedUpdate::run(const SumExchange &exchange, const Sums &totals,
                        std::span<Value> passed, std::span<Value *const> kept,
                        std::span<const Tensor> staged,
                        std::span<Value> outputs,
                        std::span<const size_t> firstUses) {
  Run run{exchange, totals, passed, kept, staged, outputs, {}};
  run.whole.resize(step.inputs.size());
  for (size_t i = 0; i < step.inputs.size(); ++i)
    if (cutOfInput[i])
      run.whole[i] = takeTensor(*kept[i]);
  for (size_t i = 0; i < stages.size(); ++i) {
    runStage(stages[i], run);
    std::vector<CutBytes> made;
    for (Partial &partial : partials)
      if (partial.stage == i + 1)
        made.push_back({partial.whole.data(),
                        byteWidth(partial.whole.elementType()), partial.cut});
    gatherRanges(ranks, kPartialTag, made);
  }
  std::vector<std::unique_ptr<ArrivingTensor>> arriving(step.inputs.size());
  auto begin = [&](size_t i) {
    if (cutOfInput[i] && gathered[i] && !arriving[i])
      arriving[i] = beginToArrive(ranks, islands, i, std::move(run.whole[i]),
                                  *cutOfInput[i]);
  };
  std::ranges::for_each(firstUses, begin);
  for (size_t i = 0; i < step.inputs.size(); ++i)
    begin(i);
  for (size_t j = 0; j < step.outputs.size(); ++j)
    if (const int input = step.donated[j];
        input >= 0 && cutOfInput[size_t(input)]) {
      auto &one = arriving[size_t(input)];
      outputs[j] = one ? Value(std::move(one))
                       : Value(std::move(run.whole[size_t(input)]));
    }
}

} // namespace gensyn::runtime
