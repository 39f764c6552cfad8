// See Cost.h.

#include "Cost.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Machine/Estimate.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

/// A copy to many cores waits until the slowest of them has left the memory
/// that it fills, and all of them wait for it. That takes as many signals as
/// there are cores, at most so many, by simulation: tiles that are chosen with
/// 0, 20, 40 and 100 let ResNet-18 take 192, 183, 174 and 182 ms on
/// spinnaker2-chip, with 219,701 to 64,866 tasks.
static constexpr int64_t kSlowest = 40;

static std::string typeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << getElementTypeOrSelf(type);
  return text;
}

static uint64_t elementsOf(Value value) {
  return uint64_t(typeOf(value).getNumElements());
}

/// Adds `count` operations to the item of that kind.
static void add(std::vector<Work> &work, const std::string &operation,
                const std::string &type, uint64_t count) {
  if (count == 0)
    return;
  for (Work &item : work)
    if (item.operation() == operation && item.type() == type &&
        item.rows() == 1 && item.columns() == 1 && item.depth() == 1)
      return item.set_count(item.count() + count);
  Work &item = work.emplace_back();
  item.set_operation(operation);
  item.set_type(type);
  item.set_count(count);
  item.set_rows(1);
  item.set_columns(1);
  item.set_depth(1);
}

/// True if an operand is read at another iterator's index plus this one's.
static bool isTap(AffineMap map, unsigned iterator) {
  return llvm::any_of(map.getResults(), [&](AffineExpr expression) {
    return !isa<AffineDimExpr>(expression) &&
           expression.isFunctionOfDim(iterator);
  });
}

/// Sets the extents of the image that the rows are: the last two iterators of
/// the result that only the left operand has.
static void describeImage(Work &item, AffineMap result, AffineMap right,
                          ArrayRef<int64_t> extents) {
  SmallVector<int64_t> image;
  for (AffineExpr expression : result.getResults())
    if (auto iterator = dyn_cast<AffineDimExpr>(expression);
        iterator && !llvm::any_of(right.getResults(), [&](AffineExpr other) {
          return other.isFunctionOfDim(iterator.getPosition());
        }))
      image.push_back(extents[iterator.getPosition()]);
  if (image.size() < 2)
    return;
  item.set_positions(uint64_t(image.back()));
  item.set_lines(uint64_t(image[image.size() - 2]));
}

/// The points of an op that sums products: those of the result that one
/// operand alone varies along are rows and columns, as units with an array
/// see them.
static Work describeProducts(DomainOpInterface op, ArrayRef<int64_t> extents) {
  SmallVector<AffineMap> maps(
      op.getIterationMaps().getAsValueRange<AffineMapAttr>());
  auto uses = [](AffineMap map, unsigned iterator) {
    return llvm::any_of(map.getResults(), [&](AffineExpr expression) {
      return expression.isFunctionOfDim(iterator);
    });
  };
  uint64_t count = 1, rows = 1, columns = 1, depth = 1, taps = 1;
  for (auto [iterator, extent] : llvm::enumerate(extents)) {
    const bool left = uses(maps[0], unsigned(iterator));
    const bool right = uses(maps[1], unsigned(iterator));
    uint64_t &part = !uses(maps.back(), unsigned(iterator)) ? depth
                     : left && right                        ? count
                     : left                                 ? rows
                                                            : columns;
    part *= uint64_t(extent);
    if (&part == &depth && (isTap(maps[0], unsigned(iterator)) ||
                            isTap(maps[1], unsigned(iterator))))
      taps *= uint64_t(extent);
  }
  Work item;
  item.set_operation("multiply_add");
  item.set_type(typeName(op->getOperand(0).getType()));
  item.set_count(count);
  item.set_rows(rows);
  item.set_columns(columns);
  item.set_depth(depth);
  if (taps > 1)
    item.set_taps(taps);
  describeImage(item, maps.back(), maps[1], extents);
  return item;
}

static bool isProducts(Operation *op) {
  auto domain = dyn_cast<DomainOpInterface>(op);
  return domain && op->getNumOperands() >= 2 &&
         domain.getIterationMaps().size() > 2;
}

/// The extents of an op's iterators in a piece of its result.
static SmallVector<int64_t> extentsOf(DomainOpInterface op,
                                      ArrayRef<IndexRange> piece) {
  SmallVector<int64_t> extents(op.getIterationExtents());
  const AffineMap result =
      cast<AffineMapAttr>(*std::prev(op.getIterationMaps().end())).getValue();
  for (auto [expression, range] : llvm::zip(result.getResults(), piece))
    if (auto iterator = dyn_cast<AffineDimExpr>(expression))
      extents[iterator.getPosition()] = range.size;
  return extents;
}

/// Instructions of an element that has no floating-point operations.
static uint64_t instructionsOf(ElementCost cost) {
  switch (cost) {
  case ElementCost::Free:
    return 0;
  case ElementCost::Single:
    return 1;
  case ElementCost::Several:
    return 4;
  case ElementCost::Long:
  case ElementCost::Function:
    return 16;
  }
  llvm_unreachable("a cost");
}

static uint64_t pointsOf(Operation *op) {
  auto domain = dyn_cast<DomainOpInterface>(op);
  if (!domain)
    return op->getNumResults() == 0 ? ~uint64_t(0)
                                    : elementsOf(op->getResult(0));
  uint64_t points = 1;
  for (int64_t extent : domain.getIterationExtents())
    points *= uint64_t(extent);
  return points;
}

/// How many elements of each value of a kernel are computed or loaded: each
/// once, or fewer, as those of a slice in front of a gather. Elements are
/// computed where they are read, so an op needs no more of its operands than
/// its own users do of it.
static llvm::SmallDenseMap<Value, uint64_t> countNeeded(Block &block) {
  llvm::SmallDenseMap<Value, uint64_t> needed;
  for (Operation &op : llvm::reverse(block)) {
    uint64_t count = 0;
    if (isa<DomainOpInterface, ColumnOpInterface>(op) ||
        op.getNumResults() == 0)
      count = pointsOf(&op);
    else
      for (Value result : op.getResults())
        count = std::max(count, needed.lookup(result));
    for (Value operand : op.getOperands()) {
      uint64_t &sum = needed[operand];
      sum += std::min(count, elementsOf(operand) - sum);
    }
  }
  return needed;
}

uint64_t countLoads(BlockArgument argument) {
  return countNeeded(*argument.getOwner()).lookup(argument);
}

std::vector<Work> describeWork(KernelOp kernel) {
  std::vector<Work> work;
  const llvm::SmallDenseMap<Value, uint64_t> needed =
      countNeeded(kernel.getBlock());
  for (BlockArgument argument : kernel.getBlock().getArguments())
    add(work, "load", typeName(argument.getType()), needed.lookup(argument));
  for (Operation &op : kernel.getBlock().without_terminator()) {
    auto cost = dyn_cast<CostOpInterface>(op);
    if (!cost)
      continue;
    if (isProducts(&op)) {
      auto domain = cast<DomainOpInterface>(op);
      work.push_back(describeProducts(domain, domain.getIterationExtents()));
      continue;
    }
    // Of ops that compute elements one by one, those that are needed.
    const Value result = op.getResult(0);
    const uint64_t all = elementsOf(result);
    const uint64_t some =
        isa<DomainOpInterface, ColumnOpInterface>(op) || op.getNumResults() > 1
            ? all
            : needed.lookup(result);
    const std::string type = typeName(result.getType());
    if (const int64_t flops = cost.getFlops(); flops > 0)
      add(work, "float", type,
          all ? uint64_t(static_cast<unsigned __int128>(flops) * some / all)
              : 0);
    else
      add(work, "integer", type,
          (some == all ? pointsOf(&op) : some) *
              instructionsOf(cost.getElementCost()));
  }
  for (Value result : kernel.getResults())
    add(work, "store", typeName(result.getType()), elementsOf(result));
  return work;
}

const Work *chooseUnits(const machine::Description &machine, uint32_t kind,
                        std::vector<Work> &work) {
  for (Work &item : work) {
    const uint32_t unit = machine::chooseUnit(machine, kind, item);
    if (unit == machine::noUnit)
      return &item;
    item.set_unit(unit);
    // Of no use to other units, and not in their mappings.
    if (machine::findRate(machine.units[unit], item)->granules.empty()) {
      item.clear_positions();
      item.clear_lines();
    }
  }
  return nullptr;
}

static uint64_t bytesOfWhole(Value tensor) {
  return bytesOf(tensor,
                 llvm::map_to_vector(shapeOf(tensor), IndexRange::whole));
}

/// The time of an item of work above that of none, and that of none.
static std::pair<int64_t, int64_t> timesOf(const machine::Description &machine,
                                           uint32_t kind, Work item) {
  const int64_t time = machine::estimateWork(machine, kind, item);
  item.set_count(0);
  const int64_t itself = machine::estimateWork(machine, kind, item);
  return {time - itself, itself};
}

/// Of kinds that differ, those of the slowest.
void PieceCosts::findTimes(uint32_t kind, ArrayRef<Work> work) {
  Body nothing;
  int64_t start = machine::estimateBody(machine, kind, nothing), time = 0;
  for (const Work &item : work) {
    const auto [own, itself] = timesOf(machine, kind, item);
    time += own;
    start += itself;
  }
  startTime = std::max(startTime, start);
  SmallVector<int64_t> loads;
  int64_t rest = time;
  const llvm::SmallDenseMap<Value, uint64_t> needed =
      countNeeded(kernel.getBlock());
  for (BlockArgument argument : kernel.getBlock().getArguments()) {
    const uint64_t count = needed.lookup(argument);
    std::vector<Work> load;
    add(load, "load", typeName(argument.getType()), count);
    const bool isWhole = count > 0 && count == elementsOf(argument) &&
                         !chooseUnits(machine, kind, load);
    loads.push_back(isWhole ? timesOf(machine, kind, load.front()).first : 0);
    rest -= loads.back();
  }
  if (!loadTimes.empty() && time <= slowestTime)
    return;
  slowestTime = time;
  wholeTime = std::max<int64_t>(rest, 0); // loads of a type are rounded once
  loadTimes = std::move(loads);
}

PieceCosts::PieceCosts(KernelOp kernel, const machine::Description &machine,
                       std::optional<uint32_t> only)
    : kernel(kernel), machine(machine) {
  const std::vector<Work> work = describeWork(kernel);
  const SmallVector<task::KindParts> named = task::getKindParts(kernel);
  const auto given = kernel->getAttrOfType<DenseI32ArrayAttr>(task::kCoresAttr);
  auto isMeant = [&](uint32_t kind) {
    if (only)
      return kind == *only;
    if (named.empty() && given)
      return llvm::any_of(given.asArrayRef(), [&](int32_t core) {
        return core >= 0 && size_t(core) < machine.cores.size() &&
               machine.cores[size_t(core)].kind == kind;
      });
    return named.empty() || llvm::any_of(named, [&](task::KindParts parts) {
             return parts.kind == kind;
           });
  };
  for (uint32_t kind = 0; kind < machine.coreKinds.size(); ++kind) {
    const bool works =
        llvm::any_of(machine.cores, [&](const machine::Core &core) {
          return core.kind == kind && !core.isDead;
        });
    if (!isMeant(kind) || !works)
      continue;
    std::vector<Work> own = work;
    if (const Work *none = chooseUnits(machine, kind, own)) {
      if (!missing)
        missing = *none;
      continue;
    }
    findTimes(kind, own);
    kinds.push_back(kind);
  }
  for (uint32_t core = 0; core < machine.cores.size(); ++core) {
    if (machine.cores[core].isDead ||
        !llvm::is_contained(kinds, machine.cores[core].kind))
      continue;
    const machine::MemoryKind &own = machine.memoryOf(core);
    const uint64_t bytes = uint64_t(own.size.value - own.reserved.value);
    memory = cores.empty() ? bytes : std::min(memory, bytes);
    cores.push_back(core);
  }
  for (int64_t extent : getSplitExtents(kernel))
    wholeElements *= std::max<int64_t>(extent, 1);
  llvm::SmallDenseSet<uint32_t> used;
  for (uint32_t core : cores)
    used.insert(machine.cores[core].chip);
  chips = int64_t(used.size());
  extents = getSplitExtents(kernel);
  findLargest();
  findLinks();
  findDependences();
  findArrays();
}

bool PieceCosts::canReadInPlace(Value input, ArrayRef<IndexRange> tile) const {
  if (bytesOf(input, tile) == bytesOfWhole(input))
    return true;
  Work indices;
  indices.set_operation("integer");
  indices.set_type(typeName(input.getType()));
  return llvm::all_of(kinds, [&](uint32_t kind) {
    return machine::chooseUnit(machine, kind, indices) != machine::noUnit;
  });
}

/// The slowest link of a way from the first core's node, which cores of the
/// node share.
void PieceCosts::findLinks() {
  if (cores.empty())
    return;
  const uint32_t node = machine.cores[cores.front()].node;
  neighbours = llvm::count_if(
      cores, [&](uint32_t core) { return machine.cores[core].node == node; });
  const machine::MemoryKind &memory =
      machine.memories[machine.sharedMemories().front()];
  if (memory.nodes.empty())
    return;
  for (uint32_t link : machine.route(node, memory.nodes.front())) {
    const int64_t bandwidth = machine.network.links[link].bandwidth.value;
    linkBandwidth =
        linkBandwidth == 0 ? bandwidth : std::min(linkBandwidth, bandwidth);
  }
}

void PieceCosts::findLargest() {
  uint64_t most = 0;
  for (auto [number, input] : llvm::enumerate(kernel.getInputs()))
    if (const uint64_t bytes = bytesOfWhole(input); bytes > most) {
      largest = number;
      most = bytes;
    }
}

void PieceCosts::findDependences() {
  const Tile whole = getWholePiece(kernel);
  const SmallVector<Split> splits = kernel.getSplits();
  dependences.assign(kernel.getInputs().size(),
                     SmallVector<bool>(whole.size(), false));
  samePieces.assign(whole.size(), 1);
  Tile point;
  for (const IndexRange &range : whole)
    point.push_back({0, std::min<int64_t>(range.size, 1), 1});
  const SmallVector<Tile> first = getOperandTiles(kernel, point);
  for (size_t i = 0; i < whole.size(); ++i) {
    if (splits[i].kind != Split::Kind::Free || whole[i].size < 2)
      continue;
    auto tilesAt = [&](int64_t index) {
      Tile tile = point;
      tile[i].begin = index;
      return getOperandTiles(kernel, tile);
    };
    for (auto [flags, a, b] :
         llvm::zip_equal(dependences, first, tilesAt(whole[i].size - 1)))
      flags[i] = a != b;
    // As queries of a group, which read the same keys.
    if (!largest || !dependences[*largest][i])
      continue;
    auto isSame = [&](int64_t index) {
      return tilesAt(index)[*largest] == first[*largest];
    };
    int64_t same = 0, other = 1; // the last that is, and one that is not
    while (other < whole[i].size && isSame(other)) {
      same = other;
      other *= 2;
    }
    other = std::min(other, whole[i].size - 1);
    while (other - same > 1)
      (isSame((same + other) / 2) ? same : other) = (same + other) / 2;
    samePieces[i] = other;
  }
}

int64_t PieceCosts::countFetches(size_t operand, ArrayRef<int64_t> parts,
                                 int64_t all, int64_t share) const {
  if (!machine.network.hasMulticast)
    return all;
  const bool isLargest = operand == largest;
  int64_t different = share;
  for (auto [count, flag, same, extent] :
       llvm::zip_equal(parts, dependences[operand], samePieces, extents))
    if (flag)
      different = std::min(
          different *
              (isLargest ? std::min(count, llvm::divideCeilSigned(extent, same))
                         : count),
          all);
  // Parts that read the same of the largest operand lie on one chip, others on
  // any.
  different =
      isLargest ? std::max(different, chips * share) : different * chips;
  return std::min(different, all);
}

int64_t PieceCosts::fetch(size_t operand, ArrayRef<IndexRange> tile,
                          ArrayRef<int64_t> parts, int64_t all, int64_t share) {
  const int64_t fetches = countFetches(operand, parts, all, share);
  const int64_t time = copy(kernel.getInputs()[operand], tile, fetches);
  const int64_t slowest =
      std::min(all / std::max<int64_t>(fetches, 1), kSlowest);
  return fetches < all ? time + slowest * machine.network.signal.value : time;
}

/// The time of an array for a piece above its share of the whole.
int64_t PieceCosts::countPadding(const Array &array, Operation *op,
                                 ArrayRef<IndexRange> piece,
                                 int64_t elements) const {
  auto timeOf = [&](ArrayRef<int64_t> extents) {
    return machine::timeOfCycles(
        machine::countMillicycles(
            *array.rate,
            describeProducts(cast<DomainOpInterface>(op), extents)),
        array.hertz);
  };
  int64_t all = 1;
  for (const IndexRange &range : getWholePiece(op))
    all *= std::max<int64_t>(range.size, 1);
  const auto share =
      int64_t(static_cast<__int128>(array.time) * elements / all);
  return std::max<int64_t>(
      timeOf(extentsOf(cast<DomainOpInterface>(op), piece)) - share, 0);
}

/// Finds the ops that arrays compute: units that take several points at once.
void PieceCosts::findArrays() {
  if (kinds.empty())
    return;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (!isProducts(&op))
      continue;
    auto domain = cast<DomainOpInterface>(op);
    Work item = describeProducts(domain, domain.getIterationExtents());
    const uint32_t unit = machine::chooseUnit(machine, kinds.front(), item);
    if (unit == machine::noUnit)
      continue;
    const machine::ComputeUnit &chosen = machine.units[unit];
    const machine::Rate *rate = machine::findRate(chosen, item);
    if (rate->arrangements.empty() && llvm::all_equal(rate->step) &&
        rate->step[0] == 1)
      continue;
    const int64_t hertz = machine.clocks[chosen.clock].frequency.value;
    arrays[&op] = {
        rate, hertz,
        machine::timeOfCycles(machine::countMillicycles(*rate, item), hertz)};
  }
}

int64_t countIndices(ArrayRef<IndexRange> piece) {
  int64_t indices = 1;
  for (const IndexRange &range : piece)
    indices *= range.size;
  return indices;
}

int64_t PieceCosts::compute(ArrayRef<IndexRange> piece,
                            ArrayRef<Tile> operands) const {
  __int128 time =
      static_cast<__int128>(wholeTime) * countIndices(piece) / wholeElements;
  // A contraction may compute more than its share: where a reshape joins
  // dimensions, the rows between those of the piece.
  llvm::SmallDenseMap<Operation *, int64_t> points;
  llvm::SmallDenseMap<Operation *, Tile> piecesOf;
  for (auto &[op, tile] : getInnerPieces(kernel, piece))
    if (isa<DomainOpInterface>(op)) {
      points[op] += countIndices(tile);
      if (arrays.contains(op))
        piecesOf[op] = tile;
    }
  for (auto [op, count] : points)
    time = std::max(time,
                    static_cast<__int128>(wholeTime) * count /
                        std::max<int64_t>(countIndices(getWholePiece(op)), 1));
  for (auto [op, count] : points)
    if (auto array = arrays.find(op); array != arrays.end())
      time += countPadding(array->second, op, piecesOf.lookup(op), count);
  for (auto [input, load, tile] :
       llvm::zip_equal(KernelOp(kernel).getInputs(), loadTimes, operands))
    if (load)
      time += static_cast<__int128>(load) * countIndices(tile) /
              int64_t(elementsOf(input));
  return startTime + int64_t(std::min<__int128>(
                         time, std::numeric_limits<int64_t>::max() / 4));
}

/// Of the memory in which a tensor lies, which may be another one than the
/// first if it is an operand or a result of the program.
uint64_t PieceCosts::burstOf(Value tensor) const {
  const bool isOutside = isa<BlockArgument>(tensor) ||
                         llvm::any_of(tensor.getUsers(), [](Operation *user) {
                           return user->hasTrait<OpTrait::IsTerminator>();
                         });
  uint64_t burst = 1;
  for (uint32_t memory : machine.sharedMemories()) {
    const machine::MemoryKind &kind = machine.memories[memory];
    burst = std::max(burst, uint64_t(kind.burst.value));
    if (!isOutside)
      break;
  }
  return burst;
}

int64_t PieceCosts::copy(Value tensor, ArrayRef<IndexRange> tile,
                         int64_t count) const {
  if (bytesOf(tensor, tile) == 0)
    return 0;
  const Rows rows = rowsOf(tensor, tile);
  const int64_t time = machine::estimateCopy(
      machine, cores.front(), machine.sharedMemories().front(),
      llvm::alignTo(uint64_t(rows.rowBytes), burstOf(tensor)),
      uint64_t(rows.count()), uint32_t(count));
  if (linkBandwidth == 0)
    return time;
  const __int128 picoseconds = static_cast<__int128>(bytesOf(tensor, tile)) *
                               std::min(count, neighbours) * 1'000'000'000'000 /
                               linkBandwidth;
  return std::max(time,
                  int64_t(std::min<__int128>(
                      picoseconds, std::numeric_limits<int64_t>::max() / 4)));
}

int64_t PieceCosts::copy(ArrayRef<IndexRange> part, ArrayRef<int64_t> parts,
                         int64_t share) {
  int64_t time = 0, count = share;
  for (int64_t along : parts)
    count *= along;
  for (auto [number, tile] : llvm::enumerate(getOperandTiles(kernel, part)))
    time += fetch(number, tile, parts, count, share);
  for (auto [result, tile] :
       llvm::zip_equal(kernel.getResults(), getResultTiles(kernel, part)))
    time += copy(result, tile, count);
  return time;
}

void reportMissing(KernelOp kernel, const PieceCosts &costs,
                   StringRef machine) {
  InFlightDiagnostic error = kernel.emitOpError("'" + kernel.getSym() + "': ");
  if (const Work *missing = costs.getMissing())
    error << "no core of " << machine << " computes '" << missing->operation()
          << "' of " << missing->type() << " to the bits of the program";
  else
    error << machine << " has no core that works";
}

} // namespace gensyn::mapping
