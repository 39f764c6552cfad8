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

void SegmentBuilder::findAwaits(LaunchState &launch) {
  ArrayRef<uint32_t> buffers = buffersOf(plan.launches(int(launch.number)));
  const size_t operands = launch.kernel.getInputs().size();
  const size_t results = launch.kernel.getNumResults();
  Accesses accesses;
  accesses.reads.assign(buffers.begin(), buffers.begin() + operands);
  accesses.writes.assign(buffers.begin() + operands,
                         buffers.begin() + operands + results);
  launch.awaits = conflicts.add(accesses);
  for (SmallVector<unsigned> &awaits : launch.awaits) {
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

/// True if the launch writes over an operand.
bool SegmentBuilder::overlapsResults(LaunchState &launch, unsigned operand) {
  ArrayRef<uint32_t> buffers = buffersOf(plan.launches(int(launch.number)));
  const size_t operands = launch.kernel.getInputs().size();
  Conflicts alone(plan);
  Accesses reads, writes;
  reads.reads = {buffers[operand]};
  writes.writes.assign(buffers.begin() + operands,
                       buffers.begin() + operands +
                           launch.kernel.getNumResults());
  alone.add(reads);
  return llvm::any_of(alone.add(writes),
                      [](ArrayRef<unsigned> found) { return !found.empty(); });
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
  if (launch.inPlace[operand]) {
    tasks.inPlace.push_back(shared);
    llvm::append_range(tasks.awaits, awaits);
    return;
  }
  tasks.inPlace.push_back(-1);
  if (!before || before->tile != tile) {
    before = Fetched{tile, makeBuffer(input, tile), Value()};
    if (bytesOf(input, tile) == 0) {
      llvm::append_range(tasks.awaits, awaits);
    } else {
      const Rows rows = rowsOf(input, tile);
      auto fetch = task::FetchOp::create(
          builder, launch.kernel.getLoc(), before->buffer, shared, rows.offset,
          rows.counts, rows.strides, rows.rowBytes, DenseI32ArrayAttr(),
          ValueRange(), int32_t(launch.number));
      await(awaits, core.copyAwaited, fetch);
      before->end = fetch.getEnd();
    }
  }
  tasks.local.push_back(before->buffer);
  if (before->end)
    tasks.ends.push_back(before->end);
  // What a tile writes over is not the operand that the next one reads.
  if (overlapsResults(launch, operand))
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
        DenseI32ArrayAttr(), compute.getEnd(), int32_t(launch.number));
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
    if (launch.inPlace[operand] && overlapsResults(launch, operand))
      launch.inPlace[operand] = false;
}

LogicalResult SegmentBuilder::addLaunch(LaunchState &launch) {
  KernelOp kernel = launch.kernel;
  findAwaits(launch);
  findInPlace(launch);
  const SmallVector<Tile> parts = task::getParts(kernel);
  ArrayRef<int32_t> used =
      kernel->getAttrOfType<DenseI32ArrayAttr>(task::kCoresAttr).asArrayRef();
  for (auto [index, number] : llvm::enumerate(used)) {
    CoreState &core = cores[number];
    task::TaskOpInterface last;
    FetchedTiles fetched(kernel.getInputs().size());
    for (size_t part = index * parts.size() / used.size(),
                end = (index + 1) * parts.size() / used.size();
         part < end; ++part)
      for (const Tile &tile : task::getTiles(kernel, parts[part]))
        if (failed(addTile(launch, core, tile, fetched, last)))
          return failure();
    if (last)
      launch.last.push_back(last);
  }
  return success();
}

LogicalResult SegmentBuilder::build(ArrayRef<unsigned> launches) {
  builder.setInsertionPointToEnd(module.getBody());
  auto segment = task::SegmentOp::create(
      builder, module.getLoc(),
      SmallVector<int32_t>(launches.begin(), launches.end()), 0);
  addCores(segment, launches);
  for (unsigned number : launches) {
    LaunchState state;
    state.number = number;
    state.kernel = kernels[number];
    // States of earlier launches are read meanwhile.
    if (failed(addLaunch(state)))
      return failure();
    states.push_back(std::move(state));
  }
  segment.setCounters(counters);
  return success();
}

} // namespace gensyn::mapping
