// The layout Matrix of a contraction's operand, that of bytes which matrix
// units multiply; see ContractSide.h.
//
// A row has 64 points, four chunks of 16 bytes, each the row of a matrix that
// GpuTarget::loadMatrices loads. Chunks are xored with bits 1 and 2 of their
// row, so that eight consecutive rows of a chunk are in different banks, and
// with bits 3 and 4, so that every fourth row is too, as threads that transpose
// write them.
//
// A thread copies groups of 4 to 16 points of a row (MatrixCopy): in one
// access, or by bytes that it puts together, or as squares of 4 rows and 4
// points, whose words have four rows each.

#include "ContractSide.h"

using namespace mlir;

namespace gensyn::gpu {

static constexpr int64_t kChunk = 16;

Value ContractSide::swizzleOf(Value row) {
  return k.bitAnd(k.bitXor(k.shr(row, 1), k.shr(row, 3)),
                  kMatrixTilePoints / kChunk - 1);
}

/// Warps cover the groups of rows first, and lanes the groups of points.
ContractSide::Share ContractSide::shareMatrix(Value thread) {
  const int64_t warpSize = k.target.warpSize;
  const int64_t groups = sizes.bk / bytesCopy.points;
  const int64_t units = extent / bytesCopy.rows;
  const int64_t lanesDown = std::max(bytesCopy.lanes, warpSize / units);
  const int64_t lanesAcross = warpSize / lanesDown;
  const int64_t warpsAcross = units / lanesAcross, warps = threads / warpSize;
  Value warp = k.div(thread, warpSize), lane = k.rem(thread, warpSize);
  Value unitRow = k.div(lane, lanesDown), group = k.rem(lane, lanesDown);
  Share share;
  int64_t step = lanesDown; // between groups of a thread
  if (warps <= warpsAcross) {
    unitRow = k.add(unitRow, k.mul(warp, lanesAcross));
    share.rowStep = warps * lanesAcross * bytesCopy.rows;
    share.rowCount = warpsAcross / warps;
  } else {
    unitRow = k.add(unitRow, k.mul(k.rem(warp, warpsAcross), lanesAcross));
    group = k.add(group, k.mul(k.div(warp, warpsAcross), lanesDown));
    step *= warps / warpsAcross;
  }
  if (step > groups) {
    active = k.less(group, groups);
    // Inactive threads look up point 0.
    group = k.select(active, group, k.constant(0));
  }
  pointCount = std::max<int64_t>(groups / step, 1);
  pointStep = step * bytesCopy.points;
  share.row = k.mul(unitRow, bytesCopy.rows);
  share.point = k.mul(group, bytesCopy.points);
  return share;
}

void ContractSide::placeMatrixRows(const Share &share, Value shared) {
  // The swizzle has this period in the row.
  constexpr int64_t period = 32;
  Value inChunk = k.rem(share.point, kChunk),
        chunk = k.div(share.point, kChunk);
  for (int64_t i = 0; i < share.rowCount; ++i) {
    const int64_t offset = i * share.rowStep, first = offset % period;
    rowSharedOffset.push_back((offset - first) * sizes.bk);
    // Rows whose distance is a multiple of the period share an address.
    if (offset != first) {
      const auto like = static_cast<size_t>(first / share.rowStep);
      rowShared.push_back(rowShared[like]);
      rowSwizzle.push_back(rowSwizzle[like]);
      continue;
    }
    Value row = k.add(share.row, offset);
    rowShared.push_back(k.at(shared, k.add(k.mul(row, sizes.bk), inChunk)));
    rowSwizzle.push_back(k.bitXor(swizzleOf(row), chunk));
  }
}

Value ContractSide::matrixPlace(size_t i, int64_t row, int64_t point) {
  // Bits of the thread's first point are clear in `point`, and those of the row
  // in the first row of a square.
  Value chunk =
      k.bitXor(rowSwizzle[i], k.constant((row >> 1) ^ (point / kChunk)));
  return k.at(k.at(rowShared[i], k.mul(chunk, kChunk)),
              rowSharedOffset[i] + row * sizes.bk + point % kChunk);
}

namespace {

/// Returns a word of four bytes.
Value joinBytes(KernelBuilder &k, ArrayRef<Value> bytes) {
  KernelBuilder::Values words;
  for (Value byte : bytes)
    words.push_back(
        k.b.createOrFold<arith::ExtUIOp>(k.loc, k.b.getI32Type(), byte));
  Value low = k.permuteBytes(words[0], words[1], 0x7740),
        high = k.permuteBytes(words[2], words[3], 0x7740);
  return k.permuteBytes(low, high, 0x5410);
}

/// Word i of the result has byte i of each word.
std::array<Value, 4> transposeBytes(KernelBuilder &k, ArrayRef<Value> words) {
  Value low = k.permuteBytes(words[0], words[1], 0x5140),
        lowOfNext = k.permuteBytes(words[2], words[3], 0x5140),
        high = k.permuteBytes(words[0], words[1], 0x7362),
        highOfNext = k.permuteBytes(words[2], words[3], 0x7362);
  return {k.permuteBytes(low, lowOfNext, 0x5410),
          k.permuteBytes(low, lowOfNext, 0x7632),
          k.permuteBytes(high, highOfNext, 0x5410),
          k.permuteBytes(high, highOfNext, 0x7632)};
}

} // namespace

void ContractSide::joinSingles(Values &values) {
  const size_t rowCount = rowPlaces.size();
  if (layout != Layout::Matrix || width > 1 ||
      !values.back().getType().isInteger(8) || values.size() % rowCount != 0)
    return;
  const size_t number = 4 * rowCount;
  if (values.size() < number ||
      !values[values.size() - number].getType().isInteger(8))
    return;
  const Values bytes(ArrayRef(values).take_back(number));
  values.truncate(values.size() - number);
  for (size_t i = 0; i < rowCount; ++i)
    values.push_back(
        joinBytes(k, {bytes[i], bytes[rowCount + i], bytes[2 * rowCount + i],
                      bytes[3 * rowCount + i]}));
}

void ContractSide::storeMatrix(ValueRange values, Value stage) {
  const auto words = static_cast<size_t>(bytesCopy.rows);
  const size_t rowCount = rowPlaces.size();
  k.when(active, [&] {
    for (int64_t group = 0; group < pointCount; ++group)
      for (size_t i = 0; i < rowCount; ++i) {
        Values own;
        for (size_t j = 0; j < words; ++j)
          own.push_back(
              values[(static_cast<size_t>(group) * words + j) * rowCount + i]);
        auto store = [&](Value value, int64_t row) {
          k.store(value, k.at(matrixPlace(i, row, group * pointStep), stage));
        };
        if (words == 1) {
          store(own.front(), 0);
          continue;
        }
        for (auto [row, word] : llvm::enumerate(transposeBytes(k, own)))
          store(word, static_cast<int64_t>(row));
      }
  });
}

/// The words that an instruction reads are neighbours: of A those of 16 rows,
/// of B those of both chunks of 8 rows.
void ContractSide::placeMatrixFragments(Value thread, Value shared) {
  const int64_t warpSize = k.target.warpSize;
  const int64_t warpsA = sizes.bm / (sizes.lanes * sizes.tm);
  Value warp = k.div(thread, warpSize), lane = k.rem(thread, warpSize);
  warp = isB() ? k.div(warp, warpsA) : k.rem(warp, warpsA);
  Value first = k.rem(lane, 8), second = k.rem(k.div(lane, 8), 2),
        third = k.div(lane, kMatrixRows);
  Value row = k.add(k.mul(warp, lanes * count),
                    k.add(first, k.mul(isB() ? third : second, 8)));
  Value chunk = k.bitXor(isB() ? second : third, swizzleOf(row));
  Value own = k.at(shared, k.mul(row, sizes.bk));
  for (auto [i, place] : llvm::enumerate(readMatrix))
    place = k.at(own, k.mul(k.bitXor(chunk, k.constant(2 * i)), kChunk));
}

ContractSide::Values ContractSide::loadMatrixFragment(Value stage,
                                                      int64_t point) {
  Values words;
  for (int64_t tile = 0; tile < lanes * count / kMatrixRows; ++tile) {
    // The next 16 rows and the next 32 points both flip bit 1 of the chunk.
    Value place =
        readMatrix[static_cast<size_t>((tile + point / kMatrixPoints) % 2)];
    std::array<Value, 4> loaded =
        k.loadMatrices(k.at(k.at(place, stage), tile * kMatrixRows * sizes.bk));
    words.append(loaded.begin(), loaded.end());
  }
  return words;
}

} // namespace gensyn::gpu
