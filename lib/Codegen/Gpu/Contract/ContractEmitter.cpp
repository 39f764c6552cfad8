// See ContractEmitter.h.

#include "ContractEmitter.h"

#include "gensyn/Numerics/Sizes.h"

using namespace mlir;

namespace gensyn::gpu {

/// Blocks are numbered column by column within bands of as many rows of tiles,
/// so that blocks that run at the same time share tiles of both operands in the
/// cache.
static constexpr int64_t kRasterRows = 8;

ContractGrid::ContractGrid(const GemmView &view, const ContractSizes &sizes,
                           const Target &target) {
  const int64_t points = view.numPoints();
  const int64_t block = std::min(view.blockSize, points);
  rowTiles = llvm::divideCeil(view.numRows(), sizes.bm);
  columnTiles = llvm::divideCeil(view.numColumns(), sizes.bn);
  blocks = llvm::divideCeil(points, block);
  parts = sizes.split ? blocks : 1;
  tiles = view.numBatches() * rowTiles * columnTiles;
  perBlock = llvm::divideCeil(block, sizes.bk);
  inLast = llvm::divideCeil(points - (blocks - 1) * block, sizes.bk);
  if (blocks > 1)
    sums = saturatingMultiply(tiles * sizes.bm * sizes.bn, parts);
  workspaceBytes = saturatingMultiply(sums, sizes.elementBytes);
  sumsOfThread = sizes.vectorOfSums();
  const int64_t ofTile = sizes.tm * sizes.tn;
  while (sumsOfThread > 1 &&
         saturatingMultiply(tiles, 2 * ofTile / sumsOfThread) <=
             target.multiprocessors)
    sumsOfThread /= 2;
  sumBlocks = ofTile / sumsOfThread;
}

ContractEmitter::ContractEmitter(KernelBuilder &k, const GemmView &view,
                                 const ContractSizes &sizes, ContractSide &a,
                                 ContractSide &b)
    : k(k), view(view), sizes(sizes), grid(view, sizes, k.target),
      offsets(k.offsets(sizes.wide || grid.sums > kMostOf32Bits)), a(a), b(b) {
  const bool isRagged = view.numPoints() % sizes.bk != 0 ||
                        std::min(view.blockSize, view.numPoints()) % sizes.bk;
  hasMovingEnd =
      !sizes.split && grid.blocks > 1 && view.blockSize % sizes.bk != 0;
  needsEnd = isRagged;
  needsFirst = isRagged || !a.isAffine() || !b.isAffine();
}

void ContractEmitter::locate(Value sharedMemory, int64_t parts) {
  shared = sharedMemory;
  thread = k.thread(sizes.threads());
  Value block = k.block(grid.tiles * parts);
  const int64_t perProduct = grid.rowTiles * grid.columnTiles;
  Value inProduct = k.rem(block, perProduct), rest = k.div(block, perProduct);
  part = k.rem(rest, parts);
  product = k.div(rest, parts);
  // The index of the tile of results, the same for all parts of the points.
  tile = k.add(k.mul(product, perProduct), inProduct);
  Value row, column;
  if (grid.rowTiles > kRasterRows && grid.columnTiles > 1) {
    const int64_t perBand = kRasterRows * grid.columnTiles;
    Value first = k.mul(k.div(inProduct, perBand), kRasterRows);
    Value inBand = k.rem(inProduct, perBand);
    Value height = k.constant(kRasterRows);
    if (grid.rowTiles % kRasterRows != 0)
      height = k.min(height, k.sub(k.constant(grid.rowTiles), first));
    row = k.add(first, k.rem(inBand, height));
    column = k.div(inBand, height);
  } else {
    row = k.rem(inProduct, grid.rowTiles);
    column = k.div(inProduct, grid.rowTiles);
  }
  batch = decodeAxes(k, view.batch, product);
  firstRow = k.mul(row, sizes.bm);
  firstColumn = k.mul(column, sizes.bn);

  firstPoint = k.mul(part, sizes.split ? view.blockSize : 0);
  int64_t all = grid.inLast;
  if (!sizes.split)
    all += (grid.blocks - 1) * grid.perBlock;
  numTiles = k.constant(all);
  if (sizes.split && grid.inLast != grid.perBlock)
    numTiles = k.select(k.equal(part, k.constant(grid.blocks - 1)), numTiles,
                        k.constant(grid.perBlock));
  else if (sizes.split)
    numTiles = k.constant(grid.perBlock);
  a.placeFragments(thread);
  b.placeFragments(thread);
  if (!shared) // the second launch only adds results
    return;
  Value points = k.at(shared, sizes.tileBytes());
  a.prepare(thread, shared, points, row, batch, firstPoint);
  b.prepare(thread, k.at(shared, sizes.unitBytes() * sizes.bm * sizes.bk),
            k.at(points, a.getTable().bytes()), column, batch, firstPoint);
}

void ContractEmitter::leavePlace() {
  Value place = k.at(shared, sizes.sharedBytes());
  k.when(k.equal(thread, k.constant(0)), [&] {
    k.store(k.pack({firstRow, firstColumn, product, thread}), place);
    k.store(k.pack({tile, thread}), k.at(place, 16));
  });
}

Value ContractEmitter::findThread() {
  Value place = k.at(shared, sizes.sharedBytes());
  Value vector = k.load(k.b.getI32Type(), k.at(place, 16), 2);
  tile = k.extract(vector, 0);
  return k.add(k.thread(sizes.threads()), k.extract(vector, 1));
}

void ContractEmitter::findPlace() {
  Value place = k.at(shared, sizes.sharedBytes());
  Value vector = k.load(k.b.getI32Type(), place, 4);
  firstRow = k.extract(vector, 0);
  firstColumn = k.extract(vector, 1);
  product = k.extract(vector, 2);
  batch = decodeAxes(k, view.batch, product);
  Value own = k.add(k.thread(sizes.threads()), k.extract(vector, 3));
  a.placeFragments(own);
  b.placeFragments(own);
}

ContractEmitter::Values ContractEmitter::zeros() {
  return Values(static_cast<size_t>(sizes.tm * sizes.tn),
                k.zero(a.getSumType()));
}

ContractEmitter::Values ContractEmitter::pack(const State &state) const {
  Values values;
  for (const Values *part : {&state.accumulators, &state.fragmentA,
                             &state.fragmentB, &state.placeA, &state.placeB})
    values.append(part->begin(), part->end());
  for (Value value : {state.read, state.first, state.end})
    if (value)
      values.push_back(value);
  return values;
}

ContractEmitter::State ContractEmitter::unpack(ValueRange values,
                                               const State &like) const {
  State state;
  auto take = [&](const Values &part) {
    Values taken(values.take_front(part.size()));
    values = values.drop_front(part.size());
    return taken;
  };
  state.accumulators = take(like.accumulators);
  state.fragmentA = take(like.fragmentA);
  state.fragmentB = take(like.fragmentB);
  state.placeA = take(like.placeA);
  state.placeB = take(like.placeB);
  auto takeOne = [&](Value one) -> Value {
    return one ? take({one}).front() : Value();
  };
  state.read = takeOne(like.read);
  state.first = takeOne(like.first);
  state.end = takeOne(like.end);
  return state;
}

void ContractEmitter::advance(State &state) {
  Value step, next;
  if (state.first)
    next = k.add(state.first, sizes.bk);
  if (hasMovingEnd) {
    // The tile after the last one of a block starts at the next block.
    Value isInside = k.less(next, state.end);
    next = k.select(isInside, next, state.end);
    step = k.sub(next, state.first);
    Value nextEnd =
        k.min(k.add(state.end, view.blockSize), k.constant(view.numPoints()));
    state.end = k.select(isInside, state.end, nextEnd);
  }
  state.placeA = a.advance(state.placeA, step);
  state.placeB = b.advance(state.placeB, step);
  state.first = next;
}

Value ContractEmitter::nextStage(Value stage) {
  const int64_t bytes = sizes.sharedBytes() / sizes.stages;
  Value next = k.add(stage, bytes);
  return k.select(k.equal(next, k.constant(bytes * sizes.stages)),
                  k.constant(0), next);
}

/// Returns the destination of the copies. It is the stage before the one that
/// is read, so it takes no register.
Value ContractEmitter::stageBefore(Value stage) {
  const int64_t bytes = sizes.sharedBytes() / sizes.stages;
  return k.select(k.equal(stage, k.constant(0)),
                  k.constant(bytes * (sizes.stages - 1)),
                  k.sub(stage, k.constant(bytes)));
}

void ContractEmitter::copyTile(const State &state, Value stage) {
  PointRange points{state.first, state.end};
  if (a.isAsync())
    a.copyTile(state.placeA, points, stage);
  if (b.isAsync())
    b.copyTile(state.placeB, points, stage);
}

ContractEmitter::Loaded ContractEmitter::loadTile(const State &state,
                                                  Value stage, Value wanted) {
  PointRange points{state.first, state.end};
  Loaded loaded;
  if (!a.isAsync())
    loaded.ofA = a.loadTile(state.placeA, points, stage, wanted);
  if (!b.isAsync())
    loaded.ofB = b.loadTile(state.placeB, points, stage, wanted);
  return loaded;
}

void ContractEmitter::storeTile(const Loaded &loaded, Value stage) {
  if (!a.isAsync())
    a.storeTile(loaded.ofA, stage);
  if (!b.isAsync())
    b.storeTile(loaded.ofB, stage);
}

void ContractEmitter::writeTables(const State &state, Value stage) {
  PointRange points{state.first, state.end};
  a.writeTable(points, stage);
  b.writeTable(points, stage);
}

ContractEmitter::State ContractEmitter::startRing() {
  State state;
  state.placeA = a.start();
  state.placeB = b.start();
  if (needsFirst)
    state.first = firstPoint;
  if (needsEnd) {
    Value end = sizes.split || hasMovingEnd ? k.add(firstPoint, view.blockSize)
                                            : k.constant(view.numPoints());
    if (sizes.split || hasMovingEnd)
      end = k.min(end, k.constant(view.numPoints()));
    state.end = end;
  }
  state.read = k.constant(0);
  const int64_t bytes = sizes.sharedBytes() / sizes.stages;
  if (sizes.tableBytes > 0) {
    State ahead = state;
    for (int64_t s = 0; s < sizes.stages; ++s) {
      writeTables(ahead, k.constant(s * bytes));
      advance(ahead);
    }
    k.barrier();
  }
  if (sizes.async) {
    for (int64_t s = 0; s + 1 < sizes.stages; ++s) {
      // These branches fold if the number of tiles is constant.
      Value stage = k.constant(s * bytes);
      Value wanted = k.less(k.constant(s), numTiles);
      k.when(wanted, [&] { copyTile(state, stage); });
      k.commitCopies();
      storeTile(loadTile(state, stage, wanted), stage);
      advance(state);
    }
    k.waitForCopies(sizes.stages - 2);
  } else {
    storeTile(loadTile(state, state.read, {}), state.read);
  }
  leavePlace();
  k.barrier();
  return state;
}

void ContractEmitter::startBlock(State &state) {
  state.accumulators = zeros();
  state.fragmentA = a.loadFragment(state.read, 0);
  state.fragmentB = b.loadFragment(state.read, 0);
}

void ContractEmitter::addPoint(ArrayRef<Value> ofA, ArrayRef<Value> ofB,
                               int64_t point, Values &accumulators) {
  Values x = a.elementsOf(ofA, point), y = b.elementsOf(ofB, point);
  for (int64_t i = 0; i < sizes.tm; ++i)
    for (int64_t j = 0; j < sizes.tn; ++j) {
      Value &sum = accumulators[i * sizes.tn + j];
      sum = k.fma(x[i], y[j], sum);
    }
}

void ContractEmitter::addMatrices(ArrayRef<Value> ofA, ArrayRef<Value> ofB,
                                  Values &accumulators) {
  // A thread has rows i and i + 1, 8 apart, and pairs of columns.
  for (int64_t i = 0; i < sizes.tm; i += 2)
    for (int64_t j = 0; j < sizes.tn; j += 2) {
      Value *upper = &accumulators[i * sizes.tn + j], *lower = upper + sizes.tn;
      std::array<Value, 4> sums = {upper[0], upper[1], lower[0], lower[1]};
      k.multiplyMatrices(ofA.slice(2 * i, 4), ofB.slice(j, 2), a.isUnsigned(),
                         sums);
      std::copy_n(sums.begin(), 2, upper);
      std::copy_n(sums.begin() + 2, 2, lower);
    }
}

/// Computes all points of the tile in shared memory. `finish` runs before the
/// last point and sets the first fragments of the next tile in the state.
ContractEmitter::Values ContractEmitter::compute(State &state,
                                                 function_ref<void()> finish) {
  Values accumulators = state.accumulators;
  const int64_t step = sizes.matrix ? kMatrixPoints : 1;
  for (int64_t point = 0; point < sizes.bk; point += step) {
    Values ofA = state.fragmentA, ofB = state.fragmentB;
    const int64_t next = point + step;
    if (next < sizes.bk) {
      if (next % a.pointsPerFragment() == 0)
        state.fragmentA = a.loadFragment(state.read, next);
      if (next % b.pointsPerFragment() == 0)
        state.fragmentB = b.loadFragment(state.read, next);
    } else {
      finish();
    }
    if (sizes.matrix)
      addMatrices(ofA, ofB, accumulators);
    else
      addPoint(ofA, ofB, point, accumulators);
  }
  return accumulators;
}

ContractEmitter::State ContractEmitter::emitTile(State state, Value number) {
  Value isLast = k.equal(number, k.sub(numTiles, k.constant(1)));
  Loaded loaded;
  if (sizes.async) {
    Value wanted = k.less(k.add(number, sizes.stages - 1), numTiles);
    k.when(wanted, [&] { copyTile(state, stageBefore(state.read)); });
    k.commitCopies();
    loaded = loadTile(state, stageBefore(state.read), wanted);
    advance(state);
    writeTables(state, state.read);
  } else {
    // After the last tile the same one is copied again, without use.
    State next = state;
    advance(next);
    if (sizes.tableBytes > 0) {
      State later = next;
      advance(later);
      writeTables(later, state.read);
    }
    auto keep = [&](Values &to, const Values &last) {
      for (auto [value, old] : llvm::zip_equal(to, last))
        value = k.select(isLast, old, value);
    };
    keep(next.placeA, state.placeA);
    keep(next.placeB, state.placeB);
    if (next.first)
      next.first = k.select(isLast, state.first, next.first);
    if (next.end)
      next.end = k.select(isLast, state.end, next.end);
    state.placeA = next.placeA;
    state.placeB = next.placeB;
    state.first = next.first;
    state.end = next.end;
    loaded = loadTile(state, stageBefore(state.read), {});
  }
  // After the last tile the next stage holds nothing: the fragments, which are
  // not used, are read from this stage.
  Value next = k.select(isLast, state.read, nextStage(state.read));
  Values accumulators = compute(state, [&] {
    if (sizes.async)
      k.waitForCopies(sizes.stages - 2);
    if (!loaded.ofA.empty() || !loaded.ofB.empty())
      storeTile(loaded, stageBefore(state.read));
    k.barrier();
    state.fragmentA = a.loadFragment(next, 0);
    state.fragmentB = b.loadFragment(next, 0);
  });
  state.accumulators = accumulators;
  state.read = next;
  return state;
}

/// Vector i of all threads of a block is contiguous in the workspace.
Value ContractEmitter::workspaceOfThread(Value workspace, Value block) {
  Value number = k.b.createOrFold<arith::MulIOp>(
      k.loc, offsets.widen(block), offsets.constant(sizes.bm * sizes.bn));
  Value at = k.far(workspace, number, sizes.elementBytes);
  return k.at(at, k.mul(thread, sizes.elementBytes * sizes.vectorOfSums()));
}

void ContractEmitter::save(const Values &accumulators, Value workspace) {
  const int64_t count = sizes.vectorOfSums();
  const int64_t step = sizes.threads() * sizes.elementBytes;
  for (size_t i = 0; i < accumulators.size(); i += count)
    k.store(k.pack(ArrayRef(accumulators).slice(i, count)),
            k.at(workspace, static_cast<int64_t>(i) * step));
}

ContractEmitter::Values
ContractEmitter::load(Value workspace,
                      function_ref<Value(Value, size_t)> combine) {
  const int64_t count = sizes.vectorOfSums();
  const int64_t step = sizes.threads() * sizes.elementBytes;
  Values values;
  for (int64_t i = 0; i < sizes.tm * sizes.tn; i += count) {
    Value vector = k.load(a.getSumType(), k.at(workspace, i * step), count);
    for (int64_t j = 0; j < count; ++j)
      values.push_back(combine(k.extract(vector, j), values.size()));
  }
  return values;
}

ContractEmitter::Values ContractEmitter::emitProduct(Value sharedMemory,
                                                     Value workspace) {
  locate(sharedMemory, grid.parts);
  State state = startRing();
  if (sizes.split || grid.blocks == 1) {
    startBlock(state);
    State like = state;
    Values last = k.rolledLoop(
        numTiles, pack(state), [&](Value number, ValueRange carried) {
          return pack(emitTile(unpack(carried, like), number));
        });
    Values results = unpack(last, like).accumulators;
    if (!sizes.split) {
      findPlace();
      return results;
    }
    thread = findThread();
    Value block = k.add(k.mul(tile, grid.parts), part);
    save(results, workspaceOfThread(workspace, block));
    return {};
  }
  // Fragments are loaded again for each block, so that they take no registers
  // while sums are added.
  State like = state;
  auto withNumber = [&](Value number, const State &state) {
    Values values = pack(state);
    values.push_back(number);
    return values;
  };
  Values all = k.repeat(
      withNumber(k.constant(0), state), [&](ValueRange carried, Values &next) {
        State start = unpack(carried.drop_back(), like);
        startBlock(start);
        State inside = start;
        Values last =
            k.repeat(withNumber(carried.back(), start), [&](ValueRange values,
                                                            Values &after) {
              Value number = values.back();
              State state =
                  emitTile(unpack(values.drop_back(), inside), number);
              number = k.add(number, 1);
              after = withNumber(number, state);
              Value more = k.less(k.constant(0), k.rem(number, grid.perBlock));
              if (grid.inLast != grid.perBlock)
                more = k.both(more, k.less(number, numTiles));
              return more;
            });
        State end = unpack(ValueRange(last).drop_back(), inside);
        Value number = last.back();
        thread = findThread();
        Value sums = workspaceOfThread(workspace, tile);
        // +0 plus the sum of the first block is that sum, except for the sign
        // of a zero, which the last step sets to + (contract_r3).
        Values results = k.either(
            k.equal(number, k.constant(grid.perBlock)),
            [&] { return end.accumulators; },
            [&] {
              return load(sums, [&](Value saved, size_t i) {
                return k.join(saved, end.accumulators[i]);
              });
            });
        Value more = k.less(number, numTiles);
        k.when(more, [&] { save(results, sums); });
        end.accumulators.clear();
        end.fragmentA.clear();
        end.fragmentB.clear();
        next = withNumber(number, end);
        next.append(results);
        return more;
      });
  findPlace();
  return Values(ArrayRef(all).take_back(sizes.tm * sizes.tn));
}

/// Blocks of the order whose results a thread loads before it adds them.
static constexpr int64_t kBlocksAtOnce = 8;

ContractEmitter::Values ContractEmitter::emitSum(Value workspace) {
  locate({}, grid.sumBlocks);
  const int64_t count = grid.sumsOfThread;
  const int64_t perVector = sizes.vectorOfSums() / count;
  const int64_t perBlock = sizes.bm * sizes.bn * sizes.elementBytes;
  Value vector = k.div(part, perVector), inVector = k.constant(0);
  if (perVector > 1) {
    // Consecutive threads have consecutive parts of the vectors.
    Value number =
        k.add(k.mul(k.rem(part, perVector), sizes.threads()), thread);
    inVector = k.mul(k.rem(number, perVector), count);
    thread = k.div(number, perVector);
    a.placeFragments(thread);
    b.placeFragments(thread);
  }
  Value firstOfVector = k.mul(vector, sizes.vectorOfSums());
  firstSum = k.add(inVector, firstOfVector);
  auto blockOf = [&](Value number) {
    Value block = k.add(k.mul(tile, grid.parts), number);
    Value own =
        k.at(workspaceOfThread(workspace, block),
             k.mul(firstOfVector, sizes.threads() * sizes.elementBytes));
    return k.at(own, k.mul(inVector, sizes.elementBytes));
  };
  auto loadVector = [&](Value address) {
    Value vector = k.load(a.getSumType(), address, count);
    Values values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(k.extract(vector, i));
    return values;
  };
  // All loads before the sums, which wait for one another.
  auto addBlocks = [&](Values sums, Value number, int64_t blocks) {
    Value base = blockOf(number);
    SmallVector<Values> loaded;
    for (int64_t i = 0; i < blocks; ++i)
      loaded.push_back(loadVector(k.at(base, i * perBlock)));
    for (const Values &values : loaded)
      for (auto [sum, value] : llvm::zip_equal(sums, values))
        sum = k.join(sum, value);
    return sums;
  };
  Values sums = loadVector(blockOf(k.constant(0)));
  const int64_t turns = (grid.parts - 1) / kBlocksAtOnce;
  if (turns > 0)
    sums = k.rolledLoop(
        k.constant(turns), sums, [&](Value turn, ValueRange carried) {
          return addBlocks(Values(carried),
                           k.add(k.mul(turn, kBlocksAtOnce), 1), kBlocksAtOnce);
        });
  const int64_t done = 1 + turns * kBlocksAtOnce;
  return addBlocks(sums, k.constant(done), grid.parts - done);
}

} // namespace gensyn::gpu
