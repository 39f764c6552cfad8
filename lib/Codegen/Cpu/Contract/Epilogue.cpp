// See Epilogue.h.

#include "Epilogue.h"

#include "../Common/Rounding.h"
#include "EpilogueEmitter.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gensyn::cpu {

using codegen::GemmAxes;
using codegen::GemmAxis;
using codegen::GemmTensor;
using codegen::GemmView;

namespace {

/// A measure of the instructions for a vector.
int64_t costOf(repro::KernelOp kernel, repro::ContractOp contraction) {
  int64_t cost = 0;
  const auto prologue = repro::findPrologue(contraction);
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (&op == contraction || (prologue && llvm::is_contained(*prologue, &op)))
      continue;
    switch (repro::getElementCost(&op)) {
    case repro::ElementCost::Free:
      break;
    case repro::ElementCost::Single:
      cost += 1;
      break;
    case repro::ElementCost::Several:
    case repro::ElementCost::Long:
      cost += 8;
      break;
    case repro::ElementCost::Function:
      cost += 50;
      break;
    }
  }
  return cost;
}
/// Above this, the code of a vector is emitted once, in a loop, and must not be
/// executed for many lanes that do not exist, or for so few vectors that
/// nothing hides its latency.
constexpr int64_t kLongCost = 16, kLeastRows = 4;
constexpr double kLeastUse = 0.85;
/// Products of fewer rows and points cost less than the calls of an epilogue
/// after each of their register tiles.
constexpr int64_t kLeastProducts = 64;

bool isZero(ArrayRef<int64_t> strides) {
  return llvm::all_of(strides, [](int64_t stride) { return stride == 0; });
}

/// True if the offset of a column is the same in the tensor and in C.
bool followsC(const EpilogueStrides &strides, const GemmView &view) {
  return strides.run == 1 &&
         llvm::all_of(llvm::zip_equal(strides.columns, view.columns),
                      [](auto pair) {
                        return std::get<0>(pair) == std::get<1>(pair).c;
                      });
}

/// True if the offset of a column has an entry in the table.
bool hasEntry(const EpilogueStrides &strides, const GemmView &view) {
  return !followsC(strides, view) &&
         !(strides.run == 0 && isZero(strides.columns));
}

} // namespace

std::optional<EpiloguePlan> planEpilogue(repro::KernelOp kernel,
                                         repro::ContractOp contraction,
                                         const GemmView &view, int64_t lanes) {
  if (pieceInC(view).stride > 1)
    return std::nullopt;
  const int64_t vectors = ceilDiv(view.runLength(), lanes);
  const bool hasFew =
      view.numRows() < kLeastRows ||
      double(view.runLength()) < kLeastUse * double(vectors * lanes);
  if ((hasFew && costOf(kernel, contraction) > kLongCost) ||
      view.numRows() * view.numPoints() < kLeastProducts)
    return std::nullopt;
  auto reads = findEpilogueReads(kernel, contraction);
  if (!reads)
    return std::nullopt;
  EpiloguePlan plan;
  for (const TensorRead &read : *reads) {
    auto strides = findStrides(read.digits, view);
    if (!strides)
      return std::nullopt;
    plan.tensors.push_back({false, read.argument, *strides});
  }
  const auto whole =
      findStrides({{1, repro::elementsOf(contraction.getResult())}}, view);
  for (unsigned result = 0; result < kernel.getNumResults(); ++result)
    plan.tensors.push_back({true, result, *whole});
  return plan;
}

int64_t countEntries(const EpiloguePlan &plan, const GemmView &view) {
  return llvm::count_if(plan.tensors, [&](const EpiloguePlan::Tensor &tensor) {
    return hasEntry(tensor.strides, view);
  });
}

std::optional<unsigned> findBufferOfC(repro::KernelOp kernel,
                                      repro::ContractOp contraction) {
  std::optional<unsigned> found;
  for (auto [number, yielded] : llvm::enumerate(kernel.getYielded())) {
    if (yielded == contraction.getResult())
      return number;
    if (!found && getElementTypeOrSelf(yielded.getType()) ==
                      getElementTypeOrSelf(contraction.getResult().getType()))
      found = number;
  }
  return found;
}

ColumnLanesInC lanesOfJoined(CpuBuilder &code, Value valid, Value first,
                             Value shift) {
  const Value before = code.firstLanes(first);
  return {before,
          arith::XOrIOp::create(code.b, code.loc, valid, before).getResult(),
          shift};
}

bool isInRegisters(repro::KernelOp kernel, repro::ContractOp contraction,
                   Type sum) {
  return costOf(kernel, contraction) <= kLongCost &&
         elementInMemory(contraction.getResult()) == sum;
}

GemmEpilogue::GemmEpilogue(CpuBuilder &code, repro::KernelOp kernel,
                           repro::ContractOp contraction, const GemmView &view,
                           const EpiloguePlan &plan,
                           const KernelFunction &function, unsigned number,
                           int64_t atOnce)
    : code(code), kernel(kernel), contraction(contraction), view(view),
      plan(plan), kernelFunction(function), number(number), atOnce(atOnce) {}

Value GemmEpilogue::tensorOf(size_t tensor) const {
  const EpiloguePlan::Tensor &at = plan.tensors[tensor];
  repro::KernelOp op = kernel;
  return at.isResult ? op.getYielded()[at.number]
                     : Value(op.getBlock().getArgument(at.number));
}

static Value sum(CpuBuilder &code, ArrayRef<int64_t> strides,
                 ArrayRef<Value> at, Value start) {
  for (auto [stride, value] : llvm::zip_equal(strides, at))
    start = code.add(start, code.mul(value, stride));
  return start;
}

Value GemmEpilogue::move(size_t tensor, Value base, Value offset) {
  return code.at(base, offset, elementInMemory(tensorOf(tensor)));
}

GemmEpilogue::Values GemmEpilogue::locateBatch(ArrayRef<Value> batch) {
  Values addresses;
  for (auto [tensor, at] : llvm::enumerate(plan.tensors)) {
    const auto &buffers =
        at.isResult ? kernelFunction.outputs : kernelFunction.inputs;
    Value offset =
        sum(code, at.strides.batch, batch, code.constant(at.strides.offset));
    addresses.push_back(move(tensor, code.pointer(buffers[at.number]), offset));
  }
  return addresses;
}

void GemmEpilogue::storeEntries(int64_t vector, ArrayRef<Value> columns,
                                Value position, Value table) {
  int64_t entry = vector * numEntries();
  for (const EpiloguePlan::Tensor &tensor : plan.tensors)
    if (hasEntry(tensor.strides, view))
      code.storeEntry(sum(code, tensor.strides.columns, columns,
                          code.mul(position, tensor.strides.run)),
                      table, code.constant(entry++));
}

Value GemmEpilogue::offsetOfColumn(size_t tensor, Value inC, Value entries) {
  const EpilogueStrides &strides = plan.tensors[tensor].strides;
  if (followsC(strides, view))
    return inC;
  if (!hasEntry(strides, view))
    return code.constant(0);
  int64_t entry = 0;
  for (size_t before = 0; before < tensor; ++before)
    entry += hasEntry(plan.tensors[before].strides, view);
  return code.loadEntry(entries, code.constant(entry));
}

Value GemmEpilogue::offsetOfRow(ArrayRef<int64_t> strides, Value row) {
  Value offset = code.constant(0);
  int64_t inner = 1; // rows of the axes behind
  for (size_t i = view.rows.size(); i > 0;) {
    const size_t last = --i;
    int64_t extent = view.rows[i].extent;
    while (i > 0 && strides[i - 1] == strides[last] * extent)
      extent *= view.rows[--i].extent;
    Value index = code.div(row, inner);
    if (i > 0)
      index = code.rem(index, extent);
    offset = code.add(offset, code.mul(index, strides[last]));
    inner *= extent;
  }
  return offset;
}

void GemmEpilogue::emitVectors(const Block &block, const Vectors &vectors) {
  const size_t numTensors = block.tensors.size();
  const bool isInMemory = vectors.ofC.empty();
  Values inC;
  SmallVector<Values> addresses(numTensors);
  SmallVector<int64_t> stridesOfC;
  for (const codegen::GemmAxis &axis : view.rows)
    stridesOfC.push_back(axis.c);
  Value rowInC = offsetOfRow(stridesOfC, vectors.row);
  for (Value vector : vectors.numbers) {
    Value column = entryOf(block, vector, 1);
    inC.push_back(code.at(block.c, code.add(rowInC, column),
                          elementInMemory(contraction.getResult())));
    Value entries =
        code.at(block.entries, code.mul(vector, numEntries()), code.i64);
    for (size_t tensor = 0; tensor < numTensors; ++tensor) {
      Value offset =
          code.add(offsetOfRow(plan.tensors[tensor].strides.rows, vectors.row),
                   offsetOfColumn(tensor, column, entries));
      addresses[tensor].push_back(move(tensor, block.tensors[tensor], offset));
    }
  }
  Values masks, seconds;
  for (const ColumnLanesInC &lanes : vectors.lanes) {
    masks.push_back(lanes.mask);
    if (lanes.second)
      seconds.push_back(lanes.second);
  }
  auto secondsOf = [&](Value tensor, const Values &firsts) {
    Values shifted;
    for (auto [address, lanes] : llvm::zip_equal(firsts, vectors.lanes))
      if (lanes.second)
        shifted.push_back(
            code.at(address, lanes.shift, elementInMemory(tensor)));
    return shifted;
  };
  EpilogueEmitter emitter(code, masks, seconds);
  const Value c = contraction.getResult();
  if (isInMemory)
    emitter.place(c, {inC, false, secondsOf(c, inC)});
  else
    emitter.provide(c, vectors.ofC);
  SmallVector<Values> results;
  for (auto [tensor, at] : llvm::enumerate(addresses))
    if (plan.tensors[tensor].isResult)
      results.push_back(at);
    else
      emitter.place(tensorOf(tensor),
                    {at, plan.tensors[tensor].strides.run == 0,
                     secondsOf(tensorOf(tensor), at)});
  // Results are stored after all reads, since one of them may hold C.
  Values values;
  for (Value yielded : kernel.getYielded())
    values.push_back(emitter.element(yielded, {}));
  failed |= llvm::is_contained(values, Value());
  if (failed)
    return;
  const std::optional<unsigned> ofC = findBufferOfC(kernel, contraction);
  for (unsigned result = 0; result < values.size(); ++result)
    if (!isInMemory || result != ofC ||
        kernel.getYielded()[result] != contraction.getResult())
      emitter.storeVectors(
          values[result], results[result],
          secondsOf(kernel.getYielded()[result], results[result]));
}

ColumnLanesInC GemmEpilogue::lanesOf(const Block &block, Value vector) {
  if (view.runLength() % code.lanes == 0 && !isJoined(view))
    return {};
  const Value valid = code.firstLanes(entryOf(block, vector, 0));
  if (!isJoined(view))
    return {valid, Value(), Value()};
  return lanesOfJoined(code, valid, entryOf(block, vector, kTableEntries),
                       code.sub(entryOf(block, vector, kTableEntries + 1),
                                entryOf(block, vector, 1)));
}

Value GemmEpilogue::entryOf(const Block &block, Value vector, int64_t entry) {
  return code.loadEntry(block.table,
                        code.add(code.mul(vector, block.tableStep), entry));
}

void GemmEpilogue::computeVector(const Block &block, Value row, int64_t vector,
                                 const ColumnLanesInC &lanes, Value ofC) {
  emitVectors(block, {row, {code.constant(vector)}, {ofC}, {lanes}});
}

void GemmEpilogue::emitBody(const Block &block) {
  const bool isLong = costOf(kernel, contraction) > kLongCost;
  code.loop(block.row, code.add(block.row, block.rows), 1, [&](Value row) {
    auto emit = [&](Value first, int64_t count) {
      Vectors vectors{row, {}};
      for (int64_t i = 0; i < count; ++i) {
        Value vector = code.add(first, i);
        vectors.numbers.push_back(vector);
        vectors.lanes.push_back(lanesOf(block, vector));
      }
      emitVectors(block, vectors);
    };
    if (!isLong) {
      for (int64_t vector = 0; vector < block.vectors; ++vector)
        emit(code.constant(vector), 1);
      return;
    }
    // Long code is emitted for the most vectors at once, and for the rest.
    int64_t vector = 0;
    for (int64_t count = atOnce; vector < block.vectors; count /= 2) {
      const int64_t end = block.vectors - (block.vectors - vector) % count;
      code.loop(code.constant(vector), code.constant(end), count,
                [&](Value number) { emit(number, count); });
      vector = end;
    }
  });
}

/// True if the elements of an argument are read at the places of C.
static bool isAlongC(const EpiloguePlan::Tensor &tensor, const GemmView &view) {
  return !tensor.isResult && followsC(tensor.strides, view) &&
         !isZero(tensor.strides.rows);
}

bool GemmEpilogue::readsAlongC() const {
  return llvm::any_of(plan.tensors, [&](const EpiloguePlan::Tensor &tensor) {
    return isAlongC(tensor, view);
  });
}

void GemmEpilogue::emitFetch(const Block &block) {
  code.loop(block.row, code.add(block.row, block.rows), 1, [&](Value row) {
    for (auto [tensor, at] : llvm::enumerate(plan.tensors)) {
      if (!isAlongC(at, view))
        continue;
      Value base = move(tensor, block.tensors[tensor],
                        offsetOfRow(at.strides.rows, row));
      for (int64_t vector = 0; vector < block.vectors; ++vector)
        code.prefetch(
            move(tensor, base,
                 code.loadEntry(block.table,
                                code.constant(vector * block.tableStep + 1))));
    }
  });
}

void GemmEpilogue::callFunction(const Block &block, StringRef suffix,
                                function_ref<void(const Block &)> emit) {
  func::FuncOp outer = kernelFunction.function;
  std::string name =
      (outer.getSymName() + "_" + suffix + (number == 0 ? "" : Twine(number)) +
       "_" + Twine(block.vectors))
          .str();
  SmallVector<Type> types(block.tensors.size() + 3, code.ptr);
  types.append(2, code.i64);
  auto function =
      code.separateFunction(outer, name, types, [&](ValueRange arguments) {
        Block inside = block;
        ValueRange rest = arguments.take_back(5);
        inside.tensors = Values(arguments.drop_back(5));
        inside.c = rest[0];
        inside.table = rest[1];
        inside.entries = rest[2];
        inside.row = rest[3];
        inside.rows = rest[4];
        emit(inside);
      });
  Values operands = block.tensors;
  operands.append({block.c, block.table, block.entries, block.row, block.rows});
  func::CallOp::create(code.b, code.loc, function, operands);
}

void GemmEpilogue::call(const Block &block) {
  callFunction(block, "epilogue",
               [&](const Block &inside) { emitBody(inside); });
}

void GemmEpilogue::fetch(const Block &block) {
  callFunction(block, "fetch", [&](const Block &inside) { emitFetch(inside); });
}

} // namespace gensyn::cpu
