// See Places.h.

#include "Places.h"

#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::IndexRange;
using repro::Tile;

Places::Places(const TensorProgram &program, ArrayRef<TensorCut> cuts,
               int64_t count)
    : program(program), cuts(cuts), ranks(static_cast<size_t>(count)) {
  const auto nodes = static_cast<unsigned>(program.nodes.size());
  computed.assign(nodes, std::vector<bool>(ranks, false));
  phases.assign(nodes, std::vector<unsigned>(ranks, 0));
  owners.assign(nodes, -1);
  senders.assign(nodes, -1);
  findOwners();
  for (unsigned node = nodes; node-- > 0;)
    demand(node);
  for (unsigned node = 0; node < nodes; ++node)
    for (size_t rank = 0; rank < ranks; ++rank)
      if (computes(node, rank))
        findPhase(node, rank);
  numberTiles();
}

Tile Places::pieceOf(unsigned node, size_t rank) const {
  Operation *op = program.nodes[node].op;
  if (!op)
    return wholeTile(program.nodes[node].result);
  if (!repro::isSplittable(op))
    return {};
  if (cuts[node].isWhole())
    return repro::getWholePiece(op);
  return pieceOfTile(op, partOf(node, op->getResult(0), rank));
}

bool Places::isEmptyPiece(unsigned node, size_t rank) const {
  return !cuts[node].isWhole() &&
         isEmpty(partOf(node, program.nodes[node].op->getResult(0), rank));
}

/// Sums and results that are not divided go to the rank that has the least
/// bytes of them.
void Places::findOwners() {
  std::vector<std::vector<int64_t>> bytes(static_cast<size_t>(program.stages),
                                          std::vector<int64_t>(ranks, 0));
  for (auto [number, node] : llvm::enumerate(program.nodes)) {
    if (!node.returned)
      continue;
    const auto index = static_cast<unsigned>(number);
    auto &own = bytes[static_cast<size_t>(node.stage)];
    Value value = node.op ? node.op->getResult(0) : node.result;
    if (!cuts[index].isWhole()) {
      for (size_t rank = 0; rank < ranks; ++rank)
        own[rank] += bytesOfTile(value.getType(), partOf(index, value, rank));
      continue;
    }
    const auto owner = llvm::min_element(own) - own.begin();
    own[static_cast<size_t>(owner)] += repro::bytesOf(value);
    owners[index] = static_cast<int>(owner);
  }
}

SmallVector<std::pair<size_t, Tile>>
Places::findMakers(Value value, ArrayRef<IndexRange> tile, int64_t stage,
                   size_t rank) const {
  const unsigned node = *program.nodeOf(value);
  if (cuts[node].isWhole())
    return {{program.nodes[node].stage == stage
                 ? rank
                 : static_cast<size_t>(std::max(senders[node], 0)),
             Tile(tile)}};
  SmallVector<std::pair<size_t, Tile>> makers;
  for (size_t maker = 0; maker < ranks; ++maker)
    if (Tile part = intersect(tile, partOf(node, value, maker)); !isEmpty(part))
      makers.emplace_back(maker, std::move(part));
  return makers;
}

void Places::demandSources(unsigned node, size_t rank) {
  const TensorNode &reader = program.nodes[node];
  program.findSources(reader, pieceOf(node, rank),
                      [&](Value value, const Tile &tile) {
                        const auto maker = program.nodeOf(value);
                        if (!maker)
                          return;
                        if (cuts[*maker].isWhole() &&
                            program.nodes[*maker].stage != reader.stage) {
                          senders[*maker] = 0;
                          return;
                        }
                        for (const auto &[from, part] :
                             findMakers(value, tile, reader.stage, rank))
                          computed[*maker][from] = true;
                      });
}

/// All readers of a node have said what they need.
void Places::demand(unsigned number) {
  const TensorNode &node = program.nodes[number];
  std::vector<bool> &own = computed[number];
  if (owners[number] >= 0)
    own[static_cast<size_t>(owners[number])] = true;
  if (node.returned && owners[number] < 0)
    own.assign(ranks, true);
  auto fault = dyn_cast_or_null<repro::FaultOpInterface>(node.op);
  const bool mustRun =
      node.op && (!isPure(node.op) || (fault && fault.mayFault()));
  if (mustRun && !cuts[number].isWhole())
    own.assign(ranks, true);
  if ((mustRun || senders[number] >= 0) && !llvm::is_contained(own, true))
    own[number % ranks] = true;
  if (senders[number] >= 0) {
    // All send about as much.
    SmallVector<int> able;
    for (size_t rank = 0; rank < ranks; ++rank)
      if (own[rank])
        able.push_back(static_cast<int>(rank));
    senders[number] = able[number % able.size()];
  }
  for (size_t rank = 0; rank < ranks; ++rank) {
    if (own[rank] && isEmptyPiece(number, rank))
      own[rank] = false;
    if (own[rank])
      demandSources(number, rank);
  }
}

void Places::noteReader(Value value, size_t maker, const PhaseId &reader,
                        ArrayRef<IndexRange> tile) {
  auto &all = readers[{value, static_cast<unsigned>(maker)}];
  const int64_t place = program.stageOf(reader.segment);
  auto found = llvm::find_if(all, [&](const Reader &one) {
    return one.stage == place && one.rank == reader.rank;
  });
  if (found == all.end()) {
    all.push_back({place, reader.rank, Tile(tile), {reader}});
    return;
  }
  found->tile = hullOf(found->tile, tile);
  if (!llvm::is_contained(found->functions, reader))
    found->functions.push_back(reader);
}

void Places::findPhase(unsigned number, size_t rank) {
  const TensorNode &node = program.nodes[number];
  struct Source {
    Value value;
    size_t maker;
    Tile tile;
  };
  SmallVector<Source> sources;
  unsigned &phase = phases[number][rank];
  program.findSources(
      node, pieceOf(number, rank), [&](Value value, const Tile &tile) {
        const auto maker = program.nodeOf(value);
        if (!maker)
          return;
        for (auto &[from, part] : findMakers(value, tile, node.stage, rank)) {
          if (program.nodes[*maker].segment == node.segment)
            phase = std::max(phase,
                             phases[*maker][from] + (from == rank ? 0U : 1U));
          sources.push_back({value, from, part});
        }
      });
  const PhaseId own = phaseOf(number, rank);
  for (const Source &source : sources)
    if (phaseOf(*program.nodeOf(source.value), source.maker) != own)
      noteReader(source.value, source.maker, own, source.tile);
}

/// Readers of the same tile share a value.
void Places::numberTiles() {
  int64_t number = 0;
  for (const TensorNode &node : program.nodes) {
    if (!node.op)
      continue;
    for (Value result : node.op->getResults())
      for (unsigned rank = 0; rank < ranks; ++rank) {
        auto found = readers.find({result, rank});
        if (found == readers.end())
          continue;
        auto &all = tiles[{result, rank}];
        for (const Reader &reader : found->second) {
          auto same = llvm::find_if(all, [&](const TravellingTile &one) {
            return one.tile == reader.tile;
          });
          if (same == all.end()) {
            all.push_back({number++, reader.tile, {}});
            same = std::prev(all.end());
          }
          llvm::append_range(same->readers, reader.functions);
        }
      }
  }
}

ArrayRef<TravellingTile> Places::travelling(Value value, size_t rank) const {
  auto found = tiles.find({value, static_cast<unsigned>(rank)});
  if (found == tiles.end())
    return {};
  return found->second;
}
