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

LogicalResult
SegmentBuilder::addTile(LaunchState &launch, CoreState &core,
                        ArrayRef<IndexRange> tile,
                        MutableArrayRef<std::optional<Fetched>> fetched,
                        task::TaskOpInterface &last) {
  KernelOp kernel = launch.kernel;
  const mlir::Location location = kernel.getLoc();
  FailureOr<Piece> piece = pieces.find(kernel, tile, launch.inPlace);
  if (failed(piece))
    return failure();
  ArrayRef<uint32_t> shared = buffersOf(plan.launches(int(launch.number)));
  const auto number = int32_t(launch.number);
  const size_t operands = kernel.getInputs().size();
  builder.setInsertionPointToEnd(core.block);
  SmallVector<Value> local, ends;
  SmallVector<int32_t> inPlace;
  SmallVector<unsigned> computeAwaits; ///< launches
  auto makeBuffer = [&](Value tensor, ArrayRef<IndexRange> own) -> Value {
    return task::BufferOp::create(builder, location,
                                  int64_t(bytesOf(tensor, own)), IntegerAttr());
  };
  for (auto [operand, input] : llvm::enumerate(kernel.getInputs())) {
    const Tile &own = piece->tiles[operand];
    ArrayRef<unsigned> awaits = launch.awaits[operand];
    inPlace.push_back(launch.inPlace[operand] ? int32_t(shared[operand]) : -1);
    if (launch.inPlace[operand]) {
      llvm::append_range(computeAwaits, awaits);
      continue;
    }
    std::optional<Fetched> &before = fetched[operand];
    if (!before || before->tile != own) {
      before = Fetched{own, makeBuffer(input, own), Value()};
      if (bytesOf(input, own) == 0) {
        llvm::append_range(computeAwaits, awaits);
      } else {
        const Rows rows = rowsOf(input, own);
        auto fetch = task::FetchOp::create(
            builder, location, before->buffer, int32_t(shared[operand]),
            rows.offset, rows.counts, rows.strides, rows.rowBytes,
            DenseI32ArrayAttr(), ValueRange(), number);
        await(awaits, core.copyAwaited, fetch);
        before->end = fetch.getEnd();
      }
    }
    local.push_back(before->buffer);
    if (before->end)
      ends.push_back(before->end);
    if (overlapsResults(launch, unsigned(operand)))
      before.reset();
  }
  const size_t firstResult = local.size();
  for (auto [result, own] : llvm::zip_equal(
           kernel.getResults(), ArrayRef(piece->tiles).drop_front(operands))) {
    local.push_back(makeBuffer(result, own));
    inPlace.push_back(-1);
  }
  if (llvm::all_of(inPlace, [](int32_t buffer) { return buffer < 0; }))
    inPlace.clear();
  auto compute =
      task::ComputeOp::create(builder, location, piece->function.getValue(),
                              local, inPlace, piece->faults, ends, number);
  await(computeAwaits, core.computeAwaited, compute);
  last = compute;
  for (auto [index, result] : llvm::enumerate(kernel.getResults())) {
    const Tile &own = piece->tiles[operands + index];
    if (bytesOf(result, own) == 0)
      continue;
    const Rows rows = rowsOf(result, own);
    auto store =
        task::StoreOp::create(builder, location, local[firstResult + index],
                              int32_t(shared[operands + index]), rows.offset,
                              rows.counts, rows.strides, rows.rowBytes,
                              DenseI32ArrayAttr(), compute.getEnd(), number);
    await(launch.awaits[operands + index], core.copyAwaited, store);
    last = store;
  }
  return success();
}

LogicalResult SegmentBuilder::addLaunch(LaunchState &launch) {
  KernelOp kernel = launch.kernel;
  findAwaits(launch);
  launch.inPlace.assign(kernel.getInputs().size(), false);
  if (auto flags =
          kernel->getAttrOfType<DenseBoolArrayAttr>(task::kInPlaceAttr))
    llvm::copy(flags.asArrayRef(), launch.inPlace.begin());
  const SmallVector<Tile> parts = task::getParts(kernel);
  ArrayRef<int32_t> used =
      kernel->getAttrOfType<DenseI32ArrayAttr>(task::kCoresAttr).asArrayRef();
  for (auto [index, number] : llvm::enumerate(used)) {
    CoreState &core = cores[number];
    task::TaskOpInterface last;
    SmallVector<std::optional<Fetched>> fetched(kernel.getInputs().size());
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
