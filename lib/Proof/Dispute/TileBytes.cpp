// See TileBytes.h.

#include "TileBytes.h"

#include "gensyn/Numerics/Tensor.h"

namespace gensyn::proof {

std::optional<TileBytes> readTile(const plan::EvaluateResponse::Tile &given) {
  const std::optional<ElementType> type =
      elementTypeFromName(given.element_type());
  std::vector<int64_t> shape(given.shape().begin(), given.shape().end());
  std::vector<TileBytes::Range> ranges;
  for (const plan::EvaluateResponse::Range &range : given.ranges())
    ranges.push_back({range.begin(), range.size(), range.stride()});
  const auto bytes = type ? countBytes(*type, shape) : std::nullopt;
  if (!bytes || ranges.size() != shape.size())
    return std::nullopt;
  TileBytes tile;
  tile.type = *type;
  tile.bytes = uint64_t(*bytes);
  tile.tileBytes = uint64_t(byteWidth(*type));
  for (size_t d = 0; d < shape.size(); ++d) {
    const TileBytes::Range &range = ranges[d];
    if (range.begin < 0 || range.size < 0 || range.stride < 1 ||
        (range.size > 0 &&
         (range.begin >= shape[d] ||
          (range.size - 1) > (shape[d] - 1 - range.begin) / range.stride)))
      return std::nullopt;
    tile.tileBytes *= uint64_t(range.size);
  }
  tile.shape = std::move(shape);
  tile.ranges = std::move(ranges);
  return tile;
}

SampleElement findSampleElement(ElementType type,
                                const std::vector<int64_t> &shape,
                                uint64_t element) {
  SampleElement found;
  TileBytes &tile = found.tile;
  tile.type = type;
  tile.tileBytes = tile.bytes = uint64_t(byteWidth(type));
  if (!shape.empty())
    tile.shape.assign(shape.begin() + 1, shape.end());
  tile.ranges.resize(tile.shape.size());
  for (size_t d = tile.shape.size(); d-- > 0;) {
    const auto extent = uint64_t(tile.shape[d]);
    tile.ranges[d] = {int64_t(element % extent), 1, 1};
    tile.bytes *= extent;
    element /= extent;
  }
  found.row = element;
  return found;
}

namespace {

/// The dimensions of a tile that are walked one by one, and the bytes of each
/// run within them.
struct Runs {
  explicit Runs(const TileBytes &tile)
      : strides(tile.shape.size()), inner(tile.shape.size()),
        run(uint64_t(byteWidth(tile.type))) {
    uint64_t size = run;
    for (size_t d = tile.shape.size(); d-- > 0;) {
      strides[d] = size;
      size *= uint64_t(tile.shape[d]);
    }
    // From the inside: a dimension whose whole extent is taken is one run with
    // the next one outside of it.
    while (inner > 0) {
      const TileBytes::Range &range = tile.ranges[inner - 1];
      if (range.stride != 1 && range.size > 1)
        break;
      --inner;
      run *= uint64_t(range.size);
      offset += uint64_t(range.begin) * strides[inner];
      if (range.size != tile.shape[inner])
        break;
    }
  }

  std::vector<uint64_t> strides;
  size_t inner;
  uint64_t run, offset = 0;
};

} // namespace

uint64_t TileBytes::countRuns() const {
  return tileBytes == 0 ? 0 : tileBytes / Runs(*this).run;
}

void TileBytes::visitRuns(
    const std::function<void(uint64_t, uint64_t)> &visit) const {
  if (tileBytes == 0)
    return;
  const Runs runs(*this);
  std::vector<int64_t> index(runs.inner, 0);
  while (true) {
    uint64_t begin = runs.offset;
    for (size_t d = 0; d < runs.inner; ++d)
      begin += uint64_t(ranges[d].begin + index[d] * ranges[d].stride) *
               runs.strides[d];
    visit(begin, runs.run);
    size_t d = runs.inner;
    while (d > 0 && ++index[d - 1] == ranges[d - 1].size)
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

std::vector<LeafRange> TileBytes::findChunks() const {
  // Runs ascend, so what touches is the last one.
  std::vector<LeafRange> chunks;
  visitRuns([&](uint64_t begin, uint64_t size) {
    const uint64_t first = begin / kChunkBytes,
                   end = (begin + size - 1) / kChunkBytes + 1;
    if (!chunks.empty() && first <= chunks.back().end)
      chunks.back().end = end;
    else
      chunks.push_back({first, end});
  });
  const uint64_t count = countChunks(bytes);
  chunks.push_back({count - 1, count});
  return normalize(std::move(chunks));
}

} // namespace gensyn::proof
