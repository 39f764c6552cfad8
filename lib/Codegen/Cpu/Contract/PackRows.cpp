// Copies A into panels [row panel][points][mr] in a separate launch, since
// every tile of columns reads them; see Gemm.h.

#include "../Common/Rounding.h"
#include "Gemm.h"

using namespace mlir;

namespace gensyn::cpu {

void GemmEmitter::emitPackRows(Value begin, Value end,
                               const GemmPointers &pointers) {
  int64_t points = view.numPoints();
  int64_t chunks = ceilDiv(points, layout.pointsPerPack);
  int64_t groups = ceilDiv(layout.rowPanels, layout.panelsPerPack);
  const bool isPlain = view.aChecks.empty() && sizes.mr <= sizes.lanes;
  const bool vectors = isPlain && singleStride(view.rows, GemmTensor::A) == 1;
  const int64_t segment = contiguousPoints(view, GemmTensor::A);
  const bool cutsElements =
      segment < points && segment % sizes.perElement() != 0;
  const bool squares = isPlain && singleStride(view.rows, GemmTensor::A) &&
                       hasContiguousPoints(view, GemmTensor::A) &&
                       !cutsElements;
  code.loop(begin, end, 1, [&](Value tile) {
    RowGroup group;
    group.begin = code.mul(code.rem(tile, chunks), layout.pointsPerPack);
    group.end = code.minSigned(code.add(group.begin, layout.pointsPerPack),
                               code.constant(points));
    Value rest = code.div(tile, chunks);
    group.first = code.mul(code.rem(rest, groups), layout.panelsPerPack);
    group.last = code.minSigned(code.add(group.first, layout.panelsPerPack),
                                code.constant(layout.rowPanels));
    Value number = code.div(rest, groups);
    Values batch = decode(view.batch, number);
    GemmPointers moved = pointers;
    moved.a = tensors.a.at(
        pointers.a,
        code.add(offset(view.batch, batch, GemmTensor::A), view.aOffset));
    moved.panels =
        code.at(pointers.panels, code.mul(number, layout.batchPanels));
    for (auto [side, address] : llvm::enumerate(moved.sidesOfA))
      address = tensors.prologueA->move(
          side, address,
          code.add(tensors.prologueA->startOf(side),
                   tensors.prologueA->offsetOfBatch(side, batch)));
    if (sizes.multipliesBytes())
      packRowBytes(group.first, moved);
    else if (vectors)
      packRowVectors(moved, group);
    else if (squares)
      packRowSquares(moved, group);
    else
      packRowElements(batch, moved, group);
  });
}

Value GemmEmitter::elementOfPoint(Value point) {
  return code.mul(code.div(point, sizes.perElement()), sizes.mr);
}

Value GemmEmitter::computeRows(Value main, const GemmPointers &pointers,
                               Value row, Value point, Value mask) {
  if (!tensors.prologueA)
    return main;
  Values values;
  for (auto [side, start] : llvm::enumerate(pointers.sidesOfA)) {
    Value address = tensors.prologueA->move(
        side, start,
        code.add(tensors.prologueA->offsetOfRow(side, row),
                 tensors.prologueA->offsetOfPoint(side, point)));
    values.push_back(isa<VectorType>(main.getType())
                         ? tensors.prologueA->load(side, address, mask)
                         : tensors.prologueA->loadScalar(side, address));
  }
  return tensors.prologueA->compute(main, values);
}

// Copies one point after another for all panels of the group, so that A is read
// in its own order. The lanes past a panel's rows are overwritten by its next
// points. The next tile's points may already be written, so the last points of
// the tile, whose vectors overlap them, need the slower masked store. Only the
// last panels, whose vectors would exceed A's row, need masked loads.
void GemmEmitter::packRowVectors(const GemmPointers &pointers,
                                 const RowGroup &group) {
  Value a = pointers.a, panels = pointers.panels;
  const StoredTensor sums(code);
  int64_t rows = view.numRows();
  int64_t whole = rows < sizes.lanes ? 0 : (rows - sizes.lanes) / sizes.mr + 1;
  Value middle = code.maxSigned(
      group.first, code.minSigned(group.last, code.constant(whole)));
  const int64_t perElement = sizes.perElement();
  auto sourceOf = [&](Value point) {
    Values at = decode(view.points, point);
    return tensors.a.at(a, offset(view.points, at, GemmTensor::A));
  };
  auto pack = [&](Value begin, Value end, bool isLast) {
    code.loop(begin, end, perElement, [&](Value point) {
      Value source = sourceOf(point), second, hasSecond;
      if (sizes.pairs) {
        Value next = code.add(point, 1);
        hasSecond = code.less(next, code.constant(view.numPoints()));
        second = sourceOf(code.select(hasSecond, next, point));
      }
      Value target = code.at(panels, elementOfPoint(point));
      auto copy = [&](Value panel, bool masksLoad) {
        Value row = code.mul(panel, sizes.mr);
        Value to = code.at(target, code.mul(panel, layout.rowPanelStride));
        Value mask;
        if (masksLoad || isLast)
          mask = code.firstLanes(code.minSigned(
              code.sub(code.constant(rows), row), code.constant(sizes.mr)));
        Value present = masksLoad ? mask : Value();
        Value value =
            computeRows(tensors.a.load(tensors.a.at(source, row), present),
                        pointers, row, point, present);
        if (second) {
          Value other = tensors.a.load(tensors.a.at(second, row), present);
          value = code.joinHalves(value,
                                  code.select(hasSecond, other, code.zero()));
        }
        sums.store(value, to, isLast ? mask : Value());
      };
      code.loop(group.first, middle, 1,
                [&](Value panel) { copy(panel, false); });
      code.loop(middle, group.last, 1, [&](Value panel) { copy(panel, true); });
    });
  };
  const int64_t reach =
      std::max<int64_t>(ceilDiv(sizes.lanes, sizes.mr) - 1, 1);
  Value elements = code.div(code.add(group.end, perElement - 1), perElement);
  Value last = code.maxSigned(
      group.begin,
      code.mul(code.sub(elements, code.constant(reach)), perElement));
  pack(group.begin, last, false);
  pack(last, group.end, true);
}

// Transposes squares of `lanes` points of a panel's rows, since converting and
// storing single elements is slow. The vector of a point also covers the next
// points, which are written after it; beyond the square they may be another
// thread's, so the last points of a square need masked stores.
void GemmEmitter::packRowSquares(const GemmPointers &pointers,
                                 const RowGroup &group) {
  Value a = pointers.a, panels = pointers.panels;
  const StoredTensor sums(code);
  const int64_t rowStride = *singleStride(view.rows, GemmTensor::A);
  const int64_t reach = ceilDiv(sizes.lanes, sizes.mr) - 1;
  Value mask = code.firstLanes(code.constant(sizes.mr));
  code.loop(group.first, group.last, 1, [&](Value panel) {
    SmallVector<Value> sources;
    for (int64_t r = 0; r < sizes.mr; ++r) {
      // Rows past the last one repeat it; their results are not used.
      Value row = code.minSigned(code.add(code.mul(panel, sizes.mr), r),
                                 code.constant(view.numRows() - 1));
      sources.push_back(tensors.a.at(a, code.mul(row, rowStride)));
    }
    Value target = code.at(panels, code.mul(panel, layout.rowPanelStride));
    auto square = [&](Value address, Value present) {
      SmallVector<Value> rows;
      for (Value source : sources)
        rows.push_back(tensors.a.load(tensors.a.at(source, address), present));
      while (int64_t(rows.size()) < sizes.lanes)
        rows.push_back(rows.back());
      return transpose(code, rows);
    };
    Value first = code.mul(panel, sizes.mr);
    Value exists = code.firstLanes(
        code.minSigned(code.sub(code.constant(view.numRows()), first),
                       code.constant(sizes.mr)));
    auto rowsAt = [&](Value main, Value point) {
      return computeRows(main, pointers, first, point, exists);
    };
    auto addressOf = [&](Value point, int64_t i) {
      return code.at(target, elementOfPoint(code.add(point, i)));
    };
    // Points past the last one are zeros.
    const int64_t perElement = sizes.perElement();
    auto elementAt = [&](ArrayRef<Value> points, Value first, int64_t i) {
      return sizes.pairs
                 ? code.joinHalves(points[size_t(i)], points[size_t(i) + 1])
                 : rowsAt(points[size_t(i)], code.add(first, i));
    };
    // The points [begin, end), which are contiguous in A.
    auto copy = [&](Value begin, Value end) {
      Value before = code.sub(
          offset(view.points, decode(view.points, begin), GemmTensor::A),
          begin);
      Value rest = code.rem(code.sub(end, begin), sizes.lanes);
      Value whole = code.sub(end, rest);
      code.loop(begin, whole, sizes.lanes, [&](Value point) {
        const auto points = square(code.add(before, point), Value());
        for (int64_t i = 0; i < sizes.lanes; i += perElement) {
          const bool isLast = i >= sizes.lanes - reach * perElement;
          sums.store(elementAt(points, point, i), addressOf(point, i),
                     isLast ? mask : Value());
        }
      });
      code.loop(whole, end, sizes.lanes, [&](Value point) {
        const auto points =
            square(code.add(before, point), code.firstLanes(rest));
        for (int64_t i = 0; i < sizes.lanes; i += perElement)
          code.when(code.less(code.constant(i), rest), [&] {
            sums.store(elementAt(points, point, i), addressOf(point, i), mask);
          });
      });
    };
    const int64_t segment = contiguousPoints(view, GemmTensor::A);
    if (segment >= view.numPoints())
      return copy(group.begin, group.end);
    code.loop(code.div(group.begin, segment),
              code.div(code.add(group.end, segment - 1), segment), 1,
              [&](Value number) {
                Value first = code.mul(number, segment);
                copy(code.maxSigned(group.begin, first),
                     code.minSigned(group.end, code.add(first, segment)));
              });
  });
}

void GemmEmitter::packRowElements(const Values &batch,
                                  const GemmPointers &pointers,
                                  const RowGroup &group) {
  Value a = pointers.a, panels = pointers.panels;
  code.loop(group.first, group.last, 1, [&](Value panel) {
    SmallVector<Value> sources, numbers;
    SmallVector<Values> checked;
    for (int64_t r = 0; r < sizes.mr; ++r) {
      // Rows past the last one repeat it; their results are not used.
      Value row = code.minSigned(code.add(code.mul(panel, sizes.mr), r),
                                 code.constant(view.numRows() - 1));
      numbers.push_back(row);
      Values at = decode(view.rows, row);
      sources.push_back(offset(view.rows, at, GemmTensor::A));
      Values fixed;
      for (auto [number, check] : llvm::enumerate(view.aChecks))
        fixed.push_back(code.add(
            code.add(checkPart(view.batch, batch, GemmTensor::A, number),
                     checkPart(view.rows, at, GemmTensor::A, number)),
            check.offset));
      checked.push_back(fixed);
    }
    Value target = code.at(panels, code.mul(panel, layout.rowPanelStride));
    auto store = [&](Value element, Value point, int64_t r) {
      Value place = code.add(elementOfPoint(point), r);
      if (sizes.pairs)
        code.storeHalf(element, code.at(target, place), code.rem(point, 2));
      else
        code.storeScalar(element, code.at(target, place));
    };
    code.loop(group.begin, group.end, 1, [&](Value point) {
      Values at = decode(view.points, point);
      Value along = offset(view.points, at, GemmTensor::A);
      SmallVector<Value> parts;
      for (unsigned number = 0; number < view.aChecks.size(); ++number)
        parts.push_back(checkPart(view.points, at, GemmTensor::A, number));
      for (int64_t r = 0; r < sizes.mr; ++r) {
        Value position = code.add(sources[r], along);
        Value inside;
        for (auto [number, check] : llvm::enumerate(view.aChecks)) {
          Value in = code.compare(arith::CmpIPredicate::ult,
                                  code.add(checked[r][number], parts[number]),
                                  code.constant(check.extent));
          inside = inside ? code.both(inside, in) : in;
        }
        Value element;
        if (!inside) {
          element = computeRows(tensors.a.loadScalar(tensors.a.at(a, position)),
                                pointers, numbers[size_t(r)], point, Value());
        } else {
          auto taken = code.choose(
              inside, code.element,
              [&] {
                return Values{tensors.a.loadScalar(tensors.a.at(a, position))};
              },
              [&] {
                return Values{arith::ConstantOp::create(
                    code.b, code.loc, code.b.getZeroAttr(code.element))};
              });
          element = taken.front();
        }
        store(element, point, r);
      }
    });
    // The second half of the last pair.
    if (view.numPoints() % sizes.perElement() != 0)
      code.when(code.compare(arith::CmpIPredicate::eq, group.end,
                             code.constant(view.numPoints())),
                [&] {
                  Value zero = arith::ConstantOp::create(
                      code.b, code.loc, code.b.getZeroAttr(code.element));
                  for (int64_t r = 0; r < sizes.mr; ++r)
                    store(zero, group.end, r);
                });
  });
}

} // namespace gensyn::cpu
