// Emits the micro-kernel: mr x nv vectors of C, kept in registers along the
// points; see Gemm.h.

#include "../ByteContract/ByteMicroKernel.h"
#include "GemmResults.h"
#include "NarrowPanels.h"
#include "PointedRows.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {
/// The taps of windows that are read in place; their number is 0 for others.
struct Windows {
  int64_t number = 0, stride = 0; ///< as GemmEmitter::Taps
  Value table, first;             ///< of the panel; the first point's tap
};

/// Emits the body of one micro-kernel. Arguments: A and B at the first point, C
/// at the first row, partial sums, the table of columns, the number of points,
/// flags; for windows also the table of taps and the first tap; for pointers to
/// rows, which are in the place of A, also the first point and the offsets of
/// taps; for a prologue also the addresses of its sides and the first point.
/// `epilogue` is null unless it computes results from registers, of `results`.
class MicroKernel {
public:
  MicroKernel(CpuBuilder &code, const GemmTensors &tensors,
              const GemmView &view, const GemmSizes &sizes, int64_t rows,
              int64_t vectors, bool isLast, const Windows &taps,
              const GemmLayout &layout, GemmEpilogue *epilogue,
              const GemmEpilogue::Block &results, ValueRange arguments)
      : code(code), view(view), sizes(sizes), tableEntries(layout.tableEntries),
        fetchStep(layout.fetchStep), epilogue(epilogue), results(results),
        ofA(sizes.packA ? sums : tensors.a),
        ofB(sizes.readsStored() ? tensors.b : sums), ofC(tensors.c), rows(rows),
        vectors(vectors), a(arguments[0]), b(arguments[1]), c(arguments[2]),
        partial(arguments[3]), table(arguments[4]), points(arguments[5]),
        flags(arguments[6]), taps(taps),
        block(joinsBlocks(view) ? view.blockSize : 0),
        allPoints(view.numPoints()) {
    if (sizes.rowPointers) {
      pointedRows.emplace(code, ofA, view, sizes, rows,
                          PointedRows::Tables{a, arguments[8]}, arguments[7]);
    } else {
      rowStride = sizes.packA ? 1 : *singleStride(view.rows, GemmTensor::A);
      pointStrideA =
          sizes.packA ? sizes.mr : *singleStride(view.points, GemmTensor::A);
    }
    if (taps.number == 0)
      pointStrideB = sizes.rawPanels ? sizes.pointStep() * sizes.perElement()
                     : sizes.packB ? sizes.columns()
                                   : *singleStride(view.points, GemmTensor::B);
    rowStrideC = codegen::lineOfRows(view).stride;
    transposes = transposesInPlace(view, sizes);
    if (transposes)
      columnStrideB = *singleStride(view.run, GemmTensor::B);
    isSingleRun = !sizes.packB && !transposes && hasSingleRun(view);
    fetchesAhead = fetchesColumnsAhead(view, sizes);
    for (int64_t v = 0; v < vectors; ++v) {
      mayBePartial.push_back(
          isJoined(view) ||
          (view.runLength() % sizes.lanes != 0 &&
           (!hasSingleRun(view) || (isLast && v == vectors - 1))));
      if (sizes.packB)
        bases.push_back(ofB.at(b, v * sizes.lanes));
      else if (!isSingleRun || v == 0)
        bases.push_back(ofB.at(b, entry(v, 2)));
      if (fetchesAhead && (!isSingleRun || v == 0))
        later.push_back(ofB.at(b, entry(v, 3)));
      // In place, lanes past the end of B must not be read.
      masks.push_back(mayBePartial.back() && !sizes.packB && !transposes &&
                              taps.number == 0
                          ? code.firstLanes(entry(v, 0))
                          : Value());
    }
    if (fetchesPanelsAhead(sizes))
      panelAhead = arguments[sizes.rowPointers ? 9 : 7];
    if (tensors.prologueB && sizes.readsStored())
      locateSides(*tensors.prologueB,
                  arguments.drop_front(sizes.rowPointers ? 9 : 7));
  }

  void emit() {
    if (allPoints >= kLeastFetched)
      code.when(hasFlag(GemmFlags::kEndsBlock), [&] { fetchC(); });
    if (transposes)
      return finish(sumOfSquares(start()));
    if (taps.number > 0)
      return finish(sumOfWindows(start()));
    if (sizes.rowPointers)
      return finish(pointedRows->sum(
          points, start(), [&](Value point, auto elementOf, Values &next) {
            const Values columns = columnsAt(point);
            for (int64_t r = 0; r < rows; ++r)
              addRow(r, code.splat(elementOf(r)), columns, next);
          }));
    Values sums = start();
    finish(block ? addBlocks(sums) : addPoints(code.constant(0), points, sums));
  }

private:
  using Values = CpuBuilder::Values;

  void locateSides(const Prologue &ofColumns, ValueRange arguments) {
    prologue = &ofColumns;
    firstPoint = arguments.back();
    for (int64_t v = 0; v < vectors; ++v) {
      maskOfSides.push_back(lanesOf(v));
      for (size_t side = 0; side < prologue->numSides(); ++side) {
        Value address = prologue->move(side, arguments[side],
                                       entry(v, kTableEntries + int64_t(side)));
        if (!transposes)
          address = prologue->move(side, address,
                                   prologue->offsetOfPoint(side, firstPoint));
        sides.push_back(address);
        const bool isFixed = !transposes && prologue->stepOfPoint(side) == 0;
        fixedSides.push_back(
            isFixed ? prologue->load(side, address, maskOfSides.back())
                    : Value());
      }
    }
  }

  /// The mask of a vector's lanes that are columns; null for all.
  Value lanesOf(int64_t vector) {
    return mayBePartial[size_t(vector)] ? code.firstLanes(entry(vector, 0))
                                        : Value();
  }

  Value entry(int64_t vector, int64_t number) {
    return code.loadEntry(table, code.constant(vector * tableEntries + number));
  }
  Value hasFlag(int64_t bit) { return code.hasFlag(flags, bit); }
  /// Continues the chains by the points [begin, end).
  Values addPoints(Value begin, Value end, Values sums) {
    const int64_t unroll = sizes.unroll;
    Value count = code.sub(end, begin);
    Value whole = code.sub(end, code.b.createOrFold<arith::RemUIOp>(
                                    code.loc, count, code.constant(unroll)));
    sums = code.loop(begin, whole, unroll, sums,
                     [&](Value point, ValueRange carried) {
                       Values next(carried);
                       prefetchRows(point);
                       for (int64_t u = 0; u < unroll; ++u)
                         step(code.add(point, u), next);
                       return next;
                     });
    if (unroll > 1)
      sums =
          code.loop(whole, end, 1, sums, [&](Value point, ValueRange carried) {
            Values next(carried);
            step(point, next);
            return next;
          });
    return sums;
  }

  /// Adds the sums of blocks, each of which starts from +0.
  Values addBlocks(const Values &sums) {
    return code.loop(
        code.constant(0), points, block, sums,
        [&](Value first, ValueRange carried) {
          Values own(carried.size(), code.zero());
          if (block == 1)
            step(first, own);
          else
            own = addPoints(
                first, code.minSigned(code.add(first, block), points), own);
          Values next;
          for (auto [sum, more] : llvm::zip_equal(carried, own))
            next.push_back(code.addElements(sum, more));
          return next;
        });
  }

  Value partialAt(int64_t row, int64_t vector) {
    return code.at(partial, row * sizes.columns() + vector * sizes.lanes);
  }

  Values start() {
    SmallVector<Type> types(rows * vectors, code.vector);
    return code.choose(
        hasFlag(GemmFlags::kFromZero), types,
        [&] { return Values(rows * vectors, code.zero()); },
        [&] {
          Values loaded;
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t v = 0; v < vectors; ++v)
              loaded.push_back(code.load(partialAt(r, v)));
          return loaded;
        });
  }

  /// Fetches what is stored after the points. Results are too many to be near,
  /// and few stores can wait for their lines.
  void fetchC() {
    for (int64_t v = 0; v < vectors; ++v) {
      Value column = ofC.at(c, entry(v, 1));
      for (int64_t r = 0; r < rows; ++r)
        code.prefetch(ofC.at(column, r * rowStrideC), /*stores=*/true);
    }
  }

  /// Fetches the rows of A of the next call, which reads them at the same
  /// points: pieces of rows are too short for the processor to foresee them.
  void prefetchRows(Value point) {
    if (sizes.packA || sizes.rowPointers || pointStrideA != 1 ||
        rows < sizes.mr || (!sizes.packB && taps.number == 0))
      return;
    Value next = ofA.at(ofA.at(a, point), rows * rowStride);
    for (int64_t r = 0; r < rows; ++r)
      code.prefetch(ofA.at(next, r * rowStride));
  }

  /// Returns the address of a vector of columns, `along` after those in `of`.
  Value columnAt(const Values &of, int64_t vector, Value along) {
    // Of one run, all vectors share an address, since registers are few.
    if (!isSingleRun)
      return ofB.at(of[size_t(vector)], along);
    return ofB.at(ofB.at(of[0], along), vector * sizes.lanes);
  }

  // The taps follow one another within a point of the others; the table has
  // the offset and the masks of each.
  Values sumOfWindows(const Values &sums) {
    Values carried = {taps.first, code.constant(0)};
    carried.append(sums);
    carried = code.loop(
        code.constant(0), points, 1, carried,
        [&](Value point, ValueRange values) {
          Value tap = values[0], plane = values[1];
          Values next(values.drop_front(2)), columns;
          code.when(
              code.compare(arith::CmpIPredicate::eq, tap, code.constant(0)),
              [&] {
                prefetchRows(point);
                for (int64_t v = 0; v < vectors; ++v)
                  code.prefetch(ofB.at(ofB.at(b, plane), this->entry(v, 3)));
              });
          Value entry = code.mul(tap, tapEntries(sizes));
          Value along = code.add(plane, code.loadEntry(taps.table, entry));
          for (int64_t v = 0; v < vectors; ++v)
            columns.push_back(
                ofB.load(columnAt(bases, v, along),
                         code.fromBits(code.loadEntry(
                             taps.table, code.add(entry, 1 + v)))));
          multiply(point, columns, next);
          Value following = code.add(tap, 1);
          Value isLast = code.compare(arith::CmpIPredicate::eq, following,
                                      code.constant(taps.number));
          Values result = {
              code.select(isLast, code.constant(0), following),
              code.select(isLast, code.add(plane, taps.stride), plane)};
          result.append(next);
          return result;
        });
    return Values(ArrayRef<Value>(carried).drop_front(2));
  }

  void step(Value point, Values &sums) {
    multiply(point, columnsAt(point), sums);
  }

  Values columnsAt(Value point) {
    Values columns;
    Value along = code.mul(point, pointStrideB);
    if (panelAhead) {
      Value some = ofB.at(panelAhead, code.mul(point, fetchStep));
      const int64_t line = kLineBytes / ofB.bytes();
      for (int64_t i = 0; i < fetchStep; i += line)
        code.prefetch(ofB.at(some, i));
    }
    if (sizes.foldsPanels())
      return foldedAt(point, ofB.at(b, along));
    for (int64_t v = 0; v < vectors; ++v) {
      Value address = columnAt(bases, v, along);
      // Vectors of narrow elements share lines.
      if (v * sizes.lanes * ofB.bytes() % kLineBytes == 0) {
        if (fetchesAhead)
          code.prefetch(columnAt(later, v, along));
        else if (sizes.rawPanels && sizes.prefetch > 0)
          code.prefetch(ofB.at(address, sizes.prefetch));
      }
      Value column = ofB.load(address, masks[size_t(v)]);
      columns.push_back(prologue ? compute(point, v, column) : column);
    }
    return columns;
  }

  /// Returns the vectors of columns at a point, or at a pair of points.
  Values foldedAt(Value point, Value address) {
    const int64_t line = kLineBytes / ofB.bytes();
    for (int64_t i = 0; sizes.prefetch > 0 && i < pointStrideB; i += line)
      code.prefetch(ofB.at(address, sizes.prefetch + i));
    Values columns = NarrowPanels(code, sizes, ofB).load(address, vectors);
    if (prologue)
      for (auto [v, column] : llvm::enumerate(columns))
        column = compute(point, int64_t(v), column);
    return columns;
  }

  /// Computes a vector of columns from the main tensor's elements at a point.
  Value compute(Value point, int64_t vector, Value main) {
    const size_t count = prologue->numSides();
    Values values;
    for (size_t side = 0; side < count; ++side) {
      const size_t at = size_t(vector) * count + side;
      values.push_back(fixedSides[at]);
      if (!values.back())
        values.back() = prologue->load(
            side,
            prologue->move(side, sides[at],
                           code.mul(point, prologue->stepOfPoint(side))),
            maskOfSides[size_t(vector)]);
    }
    return prologue->compute(main, values);
  }

  /// Loads the sides for `lanes` points of a square, which lie in one part.
  Values loadSides(Value point, int64_t vector) {
    Values values;
    if (!prologue)
      return values;
    const size_t count = prologue->numSides();
    Value mask = lanesOf(vector);
    for (size_t side = 0; side < count; ++side)
      values.push_back(prologue->load(
          side,
          prologue->move(
              side, sides[size_t(vector) * count + side],
              prologue->offsetOfPoint(side, code.add(firstPoint, point))),
          mask));
    return values;
  }

  void multiply(Value point, const Values &columns, Values &sums) {
    Value across = code.mul(point, pointStrideA);
    for (int64_t r = 0; r < rows; ++r) {
      Value row = ofA.at(ofA.at(a, across), r * rowStride);
      addRow(r, code.splat(ofA.loadScalar(row)), columns, sums);
    }
  }

  void addRow(int64_t r, Value element, const Values &columns, Values &sums) {
    for (int64_t v = 0; v < vectors; ++v) {
      Value &sum = sums[r * vectors + v];
      sum = sizes.pairs ? code.addHalfProducts(element, columns[v], sum)
                        : code.fma(element, columns[v], sum);
    }
  }

  // Squares of B, of `lanes` lanes of points of as many columns, are
  // transposed. A lane has as many points as fit its width: they are less work
  // to transpose than to widen before. Reading stops at the last point and the
  // last column.
  Values sumOfSquares(Values sums) {
    const int64_t wide = sizes.lanes * ofB.perLane();
    Value rest = code.rem(points, sizes.lanes);
    Value whole = code.sub(points, rest);
    Value first = code.constant(0);
    auto squares = [&](Value end, int64_t step, auto body) {
      sums = code.loop(first, end, step, sums,
                       [&](Value point, ValueRange carried) {
                         Values next(carried);
                         for (int64_t v = 0; v < vectors; ++v)
                           body(point, v, next);
                         return next;
                       });
      first = end;
    };
    if (wide > sizes.lanes)
      squares(code.sub(points, code.rem(points, wide)), wide,
              [&](Value point, int64_t v, Values &next) {
                wideSquare(point, v, next);
              });
    squares(whole, sizes.lanes, [&](Value point, int64_t v, Values &next) {
      square(point, Value(), v, next);
    });
    squares(points, sizes.lanes, [&](Value point, int64_t v, Values &next) {
      square(point, rest, v, next);
    });
    return sums;
  }

  /// Returns the distance in B of what the squares after that at `point` read:
  /// after the last points come the first ones of the next columns.
  Value distanceAhead(Value point) {
    Value along = code.constant(sizes.prefetch);
    Value isPast = code.both(hasFlag(GemmFlags::kFinal),
                             code.compare(arith::CmpIPredicate::sge,
                                          code.add(point, along), points));
    return code.select(
        isPast,
        code.constant(sizes.lanes * columnStrideB + sizes.prefetch - allPoints),
        along);
  }

  /// Calls `load` with the addresses of B at a point of a vector's columns.
  Values loadColumns(Value point, int64_t vector, Type type,
                     function_ref<Value(Value)> load) {
    Value base = ofB.at(bases[size_t(vector)], point);
    Value last = code.sub(entry(vector, 0), code.constant(1));
    const Value ahead = distanceAhead(point);
    auto loadAll = [&](bool isPartial) {
      Values loaded;
      for (int64_t lane = 0; lane < sizes.lanes; ++lane) {
        // Lanes past the end repeat the last column.
        Value number = code.constant(lane);
        if (isPartial)
          number =
              code.maxSigned(code.minSigned(number, last), code.constant(0));
        Value address = ofB.at(base, code.mul(number, columnStrideB));
        if (!isPartial && sizes.prefetch > 0)
          code.prefetch(ofB.at(address, ahead));
        loaded.push_back(load(address));
      }
      return loaded;
    };
    if (!mayBePartial[size_t(vector)])
      return loadAll(false);
    Value isWhole = code.compare(arith::CmpIPredicate::sge, last,
                                 code.constant(sizes.lanes - 1));
    return code.choose(
        isWhole, SmallVector<Type>(size_t(sizes.lanes), type),
        [&] { return loadAll(false); }, [&] { return loadAll(true); });
  }

  /// Adds the products of `lanes` points, or of `count` points if it is given.
  void square(Value point, Value count, int64_t vector, Values &sums) {
    Value mask = count ? code.firstLanes(count) : Value();
    const Values columns =
        loadColumns(point, vector, prologue ? ofB.vector() : code.vector,
                    [&](Value address) { return ofB.load(address, mask); });
    const Values values = loadSides(point, vector);
    for (auto [i, column] : llvm::enumerate(transpose(code, columns)))
      multiply(point, count, int64_t(i),
               prologue ? prologue->compute(column, values) : column, vector,
               sums);
  }

  /// Adds the products of `lanes` lanes of points.
  void wideSquare(Value point, int64_t vector, Values &sums) {
    const auto width = unsigned(code.bytes() * 8);
    const Values columns = loadColumns(
        point, vector,
        VectorType::get({sizes.lanes}, code.b.getIntegerType(width)),
        [&](Value address) { return ofB.loadLanes(address); });
    const int64_t parts = ofB.perLane();
    Values values;
    for (auto [i, lanes] : llvm::enumerate(transpose(code, columns)))
      for (int64_t part = 0; part < parts; ++part) {
        const int64_t next = int64_t(i) * parts + part;
        if (next % sizes.lanes == 0)
          values = loadSides(code.add(point, next), vector);
        Value column = ofB.elementOfLanes(lanes, part);
        multiply(point, Value(), next,
                 prologue ? prologue->compute(column, values) : column, vector,
                 sums);
      }
  }

  /// Adds the products of the i-th point of a square of `count` points. Beyond
  /// these both factors are zeros, which change no sum (contract_r3).
  void multiply(Value first, Value count, int64_t i, Value column,
                int64_t vector, Values &sums) {
    Value point = code.add(first, i), exists;
    if (count) {
      exists = code.less(code.constant(i), count);
      point = code.select(exists, point, first);
    }
    Value across = code.mul(point, pointStrideA);
    // A prologue computes other numbers than zero from zeros.
    if (exists && prologue)
      column = code.select(exists, column, code.zero());
    for (int64_t r = 0; r < rows; ++r) {
      Value element = ofA.loadScalar(ofA.at(ofA.at(a, across), r * rowStride));
      if (exists)
        element = arith::SelectOp::create(
            code.b, code.loc, exists, element,
            arith::ConstantOp::create(code.b, code.loc,
                                      code.b.getZeroAttr(code.element)));
      Value &sum = sums[size_t(r * vectors + vector)];
      sum = code.fma(code.splat(element), column, sum);
    }
  }

  void finish(const Values &sums) {
    code.when(
        hasFlag(GemmFlags::kEndsBlock), [&] { store(sums); },
        [&] {
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t v = 0; v < vectors; ++v)
              code.store(sums[r * vectors + v], partialAt(r, v));
        });
  }

  void store(const Values &sums) {
    GemmResults stored(code, ofC, view, epilogue, results, flags);
    for (int64_t v = 0; v < vectors; ++v) {
      Values own;
      for (int64_t r = 0; r < rows; ++r)
        own.push_back(sums[size_t(r * vectors + v)]);
      stored.store({v, mayBePartial[size_t(v)],
                    [&](int64_t number) { return entry(v, number); }},
                   c, own);
    }
  }

  CpuBuilder &code;
  const GemmView &view;
  const GemmSizes &sizes;
  int64_t tableEntries, fetchStep;
  GemmEpilogue *epilogue;
  const GemmEpilogue::Block &results;
  const StoredTensor sums{code};
  const StoredTensor &ofA, &ofB, &ofC; ///< A and B as they are read here
  int64_t rows, vectors;
  Value a, b, c, partial, table, points, flags;
  Windows taps;
  int64_t block; ///< size of joined blocks, or 0
  int64_t allPoints;
  int64_t rowStride = 0, pointStrideA = 0, pointStrideB, rowStrideC;
  std::optional<PointedRows> pointedRows; ///< of A, with pointers to rows
  Value panelAhead; ///< in B's panels, what to fetch; or null
  Values onlyRows;
  int64_t columnStrideB = 0;
  bool transposes, isSingleRun, fetchesAhead;
  Values bases, later; ///< addresses of B, and of what is fetched ahead
  Values masks;        ///< null where all lanes are read
  /// Of B, if this kernel computes it: for each vector and side the address,
  /// and the lanes if they are the same at all points.
  const Prologue *prologue = nullptr;
  Values sides, fixedSides, maskOfSides;
  Value firstPoint;
  SmallVector<bool> mayBePartial;
};
} // namespace

func::FuncOp GemmEmitter::microKernel(int64_t rows, int64_t vectors,
                                      bool isLast) {
  std::string name =
      (function.getSymName() + "_micro" + (number == 0 ? "" : Twine(number)) +
       "_" + Twine(rows) + "x" + Twine(vectors) + (isLast ? "_last" : ""))
          .str();
  SmallVector<Type> types(5, code.ptr);
  types.append({code.i64, code.i64});
  const bool hasTaps = readsWindows(view, sizes);
  if (hasTaps)
    types.append({code.ptr, code.i64});
  if (sizes.rowPointers)
    types.append({code.i64, code.ptr});
  if (fetchesPanelsAhead(sizes))
    types.push_back(code.ptr);
  if (computesInPlace()) {
    types.append(tensors.numSidesOfB(), code.ptr);
    types.push_back(code.i64);
  }
  GemmEpilogue *inRegisters =
      epilogue && epilogue->isInRegisters() ? epilogue : nullptr;
  const size_t numTensors = inRegisters ? epilogue->numTensors() : 0;
  if (inRegisters) {
    types.append(numTensors + 1, code.ptr);
    types.push_back(code.i64);
  }
  return code.separateFunction(
      function, name, types, [&](ValueRange arguments) {
        GemmEpilogue::Block results;
        if (inRegisters) {
          const ValueRange last = arguments.take_back(numTensors + 2);
          arguments = arguments.drop_back(numTensors + 2);
          results.tensors = Values(last.drop_back(2));
          results.c = arguments[2];
          results.table = arguments[4];
          results.entries = last[numTensors];
          results.row = last.back();
          results.tableStep = layout.tableEntries;
        }
        if (sizes.multipliesBytes())
          return ByteMicroKernel(code, tensors, view, sizes,
                                 {rows, vectors, isLast}, layout, inRegisters,
                                 results, arguments)
              .emit();
        Windows taps;
        if (hasTaps)
          taps = {findTaps().number, findTaps().stride, arguments[7],
                  arguments[8]};
        MicroKernel(code, tensors, view, sizes, rows, vectors, isLast, taps,
                    layout, inRegisters, results, arguments)
            .emit();
      });
}

} // namespace gensyn::cpu
