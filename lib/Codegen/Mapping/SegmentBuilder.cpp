// See SegmentBuilder.h.

#include "SegmentBuilder.h"

#include "Cost.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"

#include <set>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

/// The operands and results of a launch among the plan's buffers.
static ArrayRef<uint32_t> buffersOf(const plan::Launch &launch) {
  return {launch.buffers().data(), size_t(launch.buffers_size())};
}

void SegmentBuilder::addCores(task::SegmentOp segment,
                              ArrayRef<unsigned> launches) {
  std::set<int32_t> numbers;
  for (unsigned launch : launches) {
    auto used =
        kernels[launch]->getAttrOfType<DenseI32ArrayAttr>(task::kCoresAttr);
    numbers.insert(used.asArrayRef().begin(), used.asArrayRef().end());
  }
  Block &body = segment.getBody().emplaceBlock();
  OpBuilder at = OpBuilder::atBlockEnd(&body);
  for (int32_t number : numbers) {
    auto core = task::CoreOp::create(at, segment.getLoc(), number);
    cores[number].block = &core.getBody().emplaceBlock();
  }
}

/// Tasks of all repetitions are the same, so they wait for what any repetition
/// has to wait for, and keep no operand that any writes over: their buffers
/// share memory in different ways.
void SegmentBuilder::findAwaits(LaunchState &launch, const LaunchBlock &block) {
  const size_t operands = launch.kernel.getInputs().size();
  const size_t results = launch.kernel.getNumResults();
  const size_t index = states.size();
  launch.awaits.resize(operands + results);
  launch.overwritten.assign(operands, false);
  for (size_t repetition = 0; repetition < conflicts.size(); ++repetition) {
    const unsigned number =
        repetition ? block.others[repetition - 1][index] : launch.number;
    for (auto [all, own] : llvm::zip_equal(
             launch.overwritten, findOverwritten(plan, number, launch.kernel)))
      all |= own;
    ArrayRef<uint32_t> buffers = buffersOf(plan.launches(int(number)));
    Accesses accesses;
    accesses.reads.assign(buffers.begin(), buffers.begin() + operands);
    accesses.writes.assign(buffers.begin() + operands,
                           buffers.begin() + operands + results);
    for (auto [all, found] :
         llvm::zip_equal(launch.awaits, conflicts[repetition].add(accesses)))
      llvm::append_range(all, found);
  }
  for (SmallVector<unsigned> &awaits : launch.awaits) {
    llvm::sort(awaits);
    awaits.erase(llvm::unique(awaits), awaits.end());
    for (unsigned earlier : awaits) {
      launch.ancestors.insert(earlier);
      launch.ancestors.insert_range(states[earlier].ancestors);
    }
    // A wait for one launch is a wait for all that it waited for.
    const SmallVector<unsigned> all = awaits;
    llvm::erase_if(awaits, [&](unsigned earlier) {
      return llvm::any_of(all, [&](unsigned other) {
        return states[other].ancestors.contains(earlier);
      });
    });
  }
}

void SegmentBuilder::await(ArrayRef<unsigned> launches,
                           DenseMap<unsigned, Value> &awaited,
                           task::TaskOpInterface task) {
  SmallVector<int32_t> pairs(task.getAwaits());
  for (unsigned number : launches) {
    LaunchState &launch = states[number];
    if (launch.last.empty())
      continue;
    auto [before, isNew] = awaited.try_emplace(number, task.getEnd());
    if (!isNew) {
      if (before->second != task.getEnd())
        task.addAfter(before->second);
      continue;
    }
    if (!launch.counter) {
      launch.counter = counters++;
      for (task::TaskOpInterface last : launch.last)
        last.setSignals(*launch.counter);
    }
    pairs.append({*launch.counter, int32_t(launch.last.size())});
  }
  task.setAwaits(pairs);
}

uint32_t SegmentBuilder::bufferOf(const LaunchState &launch,
                                  size_t argument) const {
  return buffersOf(plan.launches(int(launch.number)))[argument];
}

Value SegmentBuilder::makeBuffer(Value tensor, ArrayRef<IndexRange> tile) {
  return task::BufferOp::create(builder, tensor.getLoc(),
                                int64_t(bytesOf(tensor, tile)), IntegerAttr(),
                                IntegerAttr());
}

void SegmentBuilder::addOperand(LaunchState &launch, CoreState &core,
                                unsigned operand, const Tile &tile,
                                std::optional<Fetched> &before,
                                TileTasks &tasks) {
  Value input = launch.kernel.getInputs()[operand];
  ArrayRef<unsigned> awaits = launch.awaits[operand];
  const auto shared = int32_t(bufferOf(launch, operand));
  // A tile waits for what it reads: the old rows of a concatenation are there
  // before the new one is computed. An operand in place is accessed as a whole.
  const bool isRead = launch.inPlace[operand] || bytesOf(input, tile) != 0;
  launch.waits[operand] |= isRead;
  if (launch.inPlace[operand]) {
    tasks.inPlace.push_back(shared);
    llvm::append_range(tasks.awaits, awaits);
    return;
  }
  tasks.inPlace.push_back(-1);
  if (!before || before->tile != tile) {
    before = Fetched{tile, makeBuffer(input, tile), Value()};
    if (isRead) {
      const Rows rows = rowsOf(input, tile);
      auto fetch = task::FetchOp::create(
          builder, launch.kernel.getLoc(), before->buffer, shared, rows.offset,
          rows.counts, rows.strides, rows.rowBytes, DenseI32ArrayAttr(), 0,
          ValueRange(), int32_t(launch.number));
      await(awaits, core.copyAwaited, fetch);
      before->end = fetch.getEnd();
    }
  }
  tasks.local.push_back(before->buffer);
  if (before->end)
    tasks.ends.push_back(before->end);
  // What a tile writes over is not the operand that the next one reads.
  if (launch.overwritten[operand])
    before.reset();
}

LogicalResult SegmentBuilder::addTile(LaunchState &launch, CoreState &core,
                                      ArrayRef<IndexRange> tile,
                                      FetchedTiles &fetched,
                                      task::TaskOpInterface &last) {
  KernelOp kernel = launch.kernel;
  const mlir::Location location = kernel.getLoc();
  const size_t operands = kernel.getInputs().size();
  FailureOr<Piece> piece =
      pieces.find(kernel, tile, ArrayRef(launch.inPlace).take_front(operands));
  if (failed(piece))
    return failure();
  builder.setInsertionPointToEnd(core.block);
  TileTasks tasks;
  for (unsigned operand = 0; operand < operands; ++operand)
    addOperand(launch, core, operand, piece->tiles[operand], fetched[operand],
               tasks);
  SmallVector<Value> results;
  for (auto [index, result] : llvm::enumerate(kernel.getResults())) {
    const size_t argument = operands + index;
    if (launch.inPlace[argument]) {
      tasks.inPlace.push_back(int32_t(bufferOf(launch, argument)));
      llvm::append_range(tasks.awaits, launch.awaits[argument]);
      results.push_back(Value());
      continue;
    }
    tasks.inPlace.push_back(-1);
    results.push_back(makeBuffer(result, piece->tiles[argument]));
    tasks.local.push_back(results.back());
  }
  if (llvm::all_of(tasks.inPlace, [](int32_t buffer) { return buffer < 0; }))
    tasks.inPlace.clear();
  auto compute = task::ComputeOp::create(
      builder, location, piece->function.getValue(), tasks.local, tasks.inPlace,
      piece->faults, ArrayAttr(), tasks.ends, int32_t(launch.number));
  await(tasks.awaits, core.computeAwaited, compute);
  last = compute;
  for (auto [index, result] : llvm::enumerate(kernel.getResults())) {
    const size_t argument = operands + index;
    const Tile &own = piece->tiles[argument];
    if (!results[index] || bytesOf(result, own) == 0)
      continue;
    const Rows rows = rowsOf(result, own);
    auto store = task::StoreOp::create(
        builder, location, results[index], int32_t(bufferOf(launch, argument)),
        rows.offset, rows.counts, rows.strides, rows.rowBytes,
        DenseI32ArrayAttr(), 0, compute.getEnd(), int32_t(launch.number));
    await(launch.awaits[argument], core.copyAwaited, store);
    last = store;
  }
  return success();
}

/// The operands and results that stay where they are. One that the launch
/// writes over is copied, unless it writes there in place: another core's tile
/// may be among what this core reads.
void SegmentBuilder::findInPlace(LaunchState &launch) {
  KernelOp kernel = launch.kernel;
  const size_t operands = kernel.getInputs().size();
  launch.inPlace.assign(operands + kernel.getNumResults(), false);
  if (auto flags =
          kernel->getAttrOfType<DenseBoolArrayAttr>(task::kInPlaceAttr))
    llvm::copy(flags.asArrayRef(), launch.inPlace.begin());
  if (llvm::is_contained(ArrayRef(launch.inPlace).drop_front(operands), true))
    return;
  for (unsigned operand = 0; operand < operands; ++operand)
    if (launch.inPlace[operand] && launch.overwritten[operand])
      launch.inPlace[operand] = false;
}

/// Later launches take the end of this one for the end of all that it awaits,
/// so its last task waits for what no tile reads.
void SegmentBuilder::awaitUnread(LaunchState &launch) {
  if (launch.last.empty())
    return;
  task::TaskOpInterface last = launch.last.back();
  CoreState &core = cores[last->getParentOfType<task::CoreOp>().getCore()];
  for (auto [operand, waits] : llvm::enumerate(launch.waits))
    if (!waits)
      await(launch.awaits[operand],
            isa<task::ComputeOp>(last) ? core.computeAwaited : core.copyAwaited,
            last);
}

LogicalResult SegmentBuilder::addLaunch(LaunchState &launch,
                                        const LaunchBlock &block) {
  KernelOp kernel = launch.kernel;
  findAwaits(launch, block);
  findInPlace(launch);
  const SmallVector<Tile> parts = task::getParts(kernel);
  ArrayRef<int32_t> used =
      kernel->getAttrOfType<DenseI32ArrayAttr>(task::kCoresAttr).asArrayRef();
  FetchedTiles fetched;
  launch.waits.assign(kernel.getInputs().size(), false);
  for (auto [index, number] : llvm::enumerate(used)) {
    CoreState &core = cores[number];
    task::TaskOpInterface last;
    // A core that is named again has the tiles of its parts before.
    if (index == 0 || used[index - 1] != number)
      fetched.assign(kernel.getInputs().size(), std::nullopt);
    for (size_t part = index * parts.size() / used.size(),
                end = (index + 1) * parts.size() / used.size();
         part < end; ++part)
      for (const Tile &tile : task::getTiles(kernel, parts[part]))
        if (failed(addTile(launch, core, tile, fetched, last)))
          return failure();
    if (last)
      launch.last.push_back(last);
  }
  awaitUnread(launch);
  return success();
}

/// Names the launches of the other repetitions, and the buffers that are not
/// the same in all.
void SegmentBuilder::bindRepetitions(task::SegmentOp segment,
                                     const LaunchBlock &block) {
  std::vector<std::map<uint32_t, uint32_t>> bound;
  std::set<int32_t> buffers;
  for (const std::vector<unsigned> &other : block.others) {
    bound.push_back(*bindBuffers(plan, block.launches, other));
    for (auto [first, second] : bound.back())
      if (first != second)
        buffers.insert(int32_t(first));
  }
  segment.setBuffers(SmallVector<int32_t>(buffers.begin(), buffers.end()));
  SmallVector<Attribute> repetitions;
  for (auto [launches, binding] : llvm::zip_equal(block.others, bound)) {
    SmallVector<int32_t> others;
    for (int32_t buffer : buffers)
      others.push_back(int32_t(binding.at(uint32_t(buffer))));
    repetitions.push_back(task::RepetitionAttr::get(
        module.getContext(),
        SmallVector<int32_t>(launches.begin(), launches.end()), others));
  }
  segment.setRepetitionsAttr(builder.getArrayAttr(repetitions));
}

LogicalResult SegmentBuilder::build(const LaunchBlock &block) {
  const std::vector<unsigned> &launches = block.launches;
  builder.setInsertionPointToEnd(module.getBody());
  auto segment = task::SegmentOp::create(
      builder, module.getLoc(),
      SmallVector<int32_t>(launches.begin(), launches.end()), 0);
  for (size_t i = 0; i <= block.others.size(); ++i)
    conflicts.emplace_back(plan);
  if (!block.others.empty())
    bindRepetitions(segment, block);
  addCores(segment, launches);
  for (unsigned number : launches) {
    LaunchState state;
    state.number = number;
    state.kernel = kernels[number];
    // States of earlier launches are read meanwhile.
    if (failed(addLaunch(state, block)))
      return failure();
    states.push_back(std::move(state));
  }
  segment.setCounters(counters);
  return success();
}

} // namespace gensyn::mapping
