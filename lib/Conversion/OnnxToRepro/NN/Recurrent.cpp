// RNN, GRU and LSTM: a loop over time. The products with the input are one
// contraction before the loop, so that only the products with the state are
// inside.

#include "../Support/LoopBuilder.h"
#include "../Support/OperatorTable.h"
#include "Activations.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

namespace {

/// One activation with its two parameters.
struct Activation {
  std::string name;
  double alpha, beta;
};

/// The weights of a cell in one direction. Matrices are [gates * hidden, .],
/// biases and peepholes [gates * hidden].
struct Weights {
  Value input, recurrent, inputBias, recurrentBias, peepholes;
};

/// The state of a cell: [batch, hidden] each.
struct State {
  Value hidden, cell;
};

/// Computes one step: `x` is the product of the input and its matrix with
/// biases, [batch, gates * hidden]. `shared` has the weights as arguments of
/// the loop's body.
class Cell {
public:
  Cell(NodeBuilder &b, int64_t hidden, int64_t gates)
      : b(b), hidden(hidden), gates(gates), clip(b.node.real("clip")) {}
  virtual ~Cell() = default;

  /// True if the loop adds the recurrent bias of the last gate itself. All
  /// other biases are added to the product with the input, before the loop.
  virtual bool keepsLastBias() const { return false; }
  virtual State step(Value x, State state, const Weights &shared) = 0;

  std::vector<Activation> activations;
  NodeBuilder &b;
  const int64_t hidden, gates;

protected:
  Value gate(Value all, int64_t number) {
    const int64_t dim = rankOf(all) - 1;
    return b.sliceDim(all, dim, number * hidden, (number + 1) * hidden);
  }
  Value rows(Value matrix, int64_t first, int64_t last) {
    return b.sliceDim(matrix, 0, first * hidden, last * hidden);
  }
  Value timesTransposed(Value x, Value matrix) {
    return b.matrixProduct(x, matrix, false, true);
  }
  Value activate(unsigned number, Value x) {
    if (clip) {
      Value low = b.fill(-*clip, x), high = b.fill(*clip, x);
      x = b.select(b.compare(CompareKind::Lt, x, low), low, x);
      x = b.select(b.compare(CompareKind::Gt, x, high), high, x);
    }
    const Activation &f = activations[number];
    return activationByName(b, f.name, f.alpha, f.beta, x);
  }

private:
  std::optional<float> clip;
};

struct RnnCell final : Cell {
  using Cell::Cell;
  State step(Value x, State state, const Weights &shared) override {
    Value sum = b.add(x, timesTransposed(state.hidden, shared.recurrent));
    return {activate(0, sum), {}};
  }
};

/// Gates z, r, h.
struct GruCell final : Cell {
  GruCell(NodeBuilder &b, int64_t hidden)
      : Cell(b, hidden, 3), resetsAfter(b.integer("linear_before_reset") != 0) {
  }
  bool keepsLastBias() const override { return resetsAfter; }
  State step(Value x, State state, const Weights &shared) override {
    Value h = state.hidden, zr, candidate;
    if (resetsAfter) {
      Value all = timesTransposed(h, shared.recurrent);
      zr = b.sliceDim(all, 1, 0, 2 * hidden);
      candidate = gate(all, 2);
      if (shared.recurrentBias)
        candidate = b.add(candidate, gate(shared.recurrentBias, 2));
    } else {
      zr = timesTransposed(h, rows(shared.recurrent, 0, 2));
    }
    Value gatesOf = b.add(b.sliceDim(x, 1, 0, 2 * hidden), zr);
    Value z = activate(0, gate(gatesOf, 0));
    Value r = activate(0, gate(gatesOf, 1));
    candidate = resetsAfter ? b.mul(r, candidate)
                            : timesTransposed(b.mul(r, h),
                                              rows(shared.recurrent, 2, 3));
    candidate = activate(1, b.add(gate(x, 2), candidate));
    Value fresh = b.mul(b.sub(b.fill(1, z), z), candidate);
    return {b.add(fresh, b.mul(z, h)), {}};
  }
  const bool resetsAfter;
};

/// Gates i, o, f, c; peepholes of i, o, f.
struct LstmCell final : Cell {
  LstmCell(NodeBuilder &b, int64_t hidden)
      : Cell(b, hidden, 4), couples(b.integer("input_forget") != 0) {}
  State step(Value x, State state, const Weights &shared) override {
    Value sums = b.add(x, timesTransposed(state.hidden, shared.recurrent));
    auto peep = [&](Value sum, int64_t number, Value cell) {
      return shared.peepholes
                 ? b.add(sum, b.mul(gate(shared.peepholes, number), cell))
                 : sum;
    };
    Value i = activate(0, peep(gate(sums, 0), 0, state.cell));
    Value f = couples ? b.sub(b.fill(1, i), i)
                      : activate(0, peep(gate(sums, 2), 2, state.cell));
    Value fresh = activate(1, gate(sums, 3));
    Value cell = b.add(b.mul(f, state.cell), b.mul(i, fresh));
    Value o = activate(0, peep(gate(sums, 1), 1, cell));
    return {b.mul(o, activate(2, cell)), cell};
  }
  const bool couples;
};

/// The loops of one node, one for each direction.
class Recurrence {
public:
  Recurrence(NodeBuilder &b, Cell &cell, bool hasCell)
      : b(b), cell(cell), hasCell(hasCell) {}
  Values convert(ArrayRef<StringRef> defaults);

private:
  bool readActivations(ArrayRef<StringRef> defaults, int64_t directions);
  bool checkShape(StringRef formal, ArrayRef<int64_t> expected);
  bool checkShapes(int64_t directions);
  void runDirection(int64_t direction, bool backwards);
  Value ofDirection(Value value, int64_t direction) {
    if (!value)
      return {};
    Value part = b.sliceDim(value, 0, direction, direction + 1);
    return b.reshape(part, shapeOf(value).drop_front());
  }
  Weights weightsOf(int64_t direction);
  Value project(const Weights &weights);
  Value initial(StringRef formal, int64_t direction);

  NodeBuilder &b;
  Cell &cell;
  const bool hasCell;
  bool batchFirst = false;
  Value x, lengths; // [time, batch, .], [batch]
  int64_t steps = 0, batch = 0;
  std::vector<Activation> all;
  Values outputs, lastHidden, lastCell;
};

/// True if an operand is absent or has the shape; refuses otherwise.
bool Recurrence::checkShape(StringRef formal, ArrayRef<int64_t> expected) {
  Value value = b.raw(formal);
  if (!value || shapeOf(value) == expected)
    return true;
  auto type = RankedTensorType::get(expected, elementOf(value));
  b.refuse(formal + " is " + gensyn::onnx::describeType(value.getType()) +
           ", expected " + gensyn::onnx::describeType(type));
  return false;
}

/// Shape inference checks X only.
bool Recurrence::checkShapes(int64_t directions) {
  const int64_t hidden = cell.hidden, width = cell.gates * hidden;
  const Extents state = batchFirst ? Extents{batch, directions, hidden}
                                   : Extents{directions, batch, hidden};
  return checkShape("W", {directions, width, shapeOf(x)[2]}) &&
         checkShape("R", {directions, width, hidden}) &&
         checkShape("B", {directions, 2 * width}) &&
         checkShape("sequence_lens", {batch}) &&
         checkShape("initial_h", state) &&
         (!hasCell || (checkShape("initial_c", state) &&
                       checkShape("P", {directions, 3 * hidden})));
}

/// Parameters are consumed in the order of the functions that take them.
bool Recurrence::readActivations(ArrayRef<StringRef> defaults,
                                 int64_t directions) {
  SmallVector<std::string> names;
  if (auto given = dyn_cast_or_null<ArrayAttr>(b.node.attribute("activations")))
    for (Attribute name : given)
      names.push_back(cast<StringAttr>(name).getValue().lower());
  while (names.size() < defaults.size() * static_cast<size_t>(directions))
    names.push_back(defaults[names.size() % defaults.size()].lower());
  auto alphas = b.node.reals("activation_alpha").value_or(ArrayRef<float>());
  auto betas = b.node.reals("activation_beta").value_or(ArrayRef<float>());
  auto take = [](ArrayRef<float> &numbers, std::optional<double> otherwise) {
    if (!otherwise || numbers.empty())
      return otherwise.value_or(0);
    const double number = numbers.front();
    numbers = numbers.drop_front();
    return number;
  };
  for (const std::string &name : names) {
    auto known = findActivation(name);
    if (!known)
      return b.refuse("there is no activation '" + name + "'"), false;
    const double alpha = take(alphas, known->alpha);
    all.push_back({name, alpha, take(betas, known->beta)});
  }
  return true;
}

Weights Recurrence::weightsOf(int64_t direction) {
  Weights weights;
  weights.input = ofDirection(b.operand("W"), direction);
  weights.recurrent = ofDirection(b.operand("R"), direction);
  if (Value biases = ofDirection(b.operand("B"), direction)) {
    const int64_t half = cell.gates * cell.hidden;
    weights.inputBias = b.sliceDim(biases, 0, 0, half);
    weights.recurrentBias = b.sliceDim(biases, 0, half, 2 * half);
  }
  if (hasCell)
    weights.peepholes = ofDirection(b.operand("P"), direction);
  return weights;
}

/// x · inputᵀ + (input bias + recurrent bias): [time, batch, gates * hidden].
Value Recurrence::project(const Weights &weights) {
  const int64_t width = cell.gates * cell.hidden;
  Value flat = b.reshape(x, {steps * batch, shapeOf(x)[2]});
  Value product = b.matrixProduct(flat, weights.input, false, true);
  if (Value bias = weights.inputBias) {
    Value other = weights.recurrentBias;
    if (cell.keepsLastBias())
      other = b.concat({b.sliceDim(other, 0, 0, width - cell.hidden),
                        b.fill(0, elementOf(other), {cell.hidden})},
                       0);
    product = b.add(product, b.add(bias, other));
  }
  return b.reshape(product, {steps, batch, width});
}

Value Recurrence::initial(StringRef formal, int64_t direction) {
  Value given = b.operand(formal);
  if (!given)
    return b.fill(0, elementOf(x), {batch, cell.hidden});
  if (batchFirst)
    given = b.transpose(given, {1, 0, 2});
  return ofDirection(given, direction);
}

void Recurrence::runDirection(int64_t direction, bool backwards) {
  Weights weights = weightsOf(direction);
  LoopBuilder loop(b, steps);
  Value projected = loop.share(project(weights));
  Weights shared;
  shared.recurrent = loop.share(weights.recurrent);
  if (cell.keepsLastBias() && weights.recurrentBias)
    shared.recurrentBias = loop.share(weights.recurrentBias);
  if (weights.peepholes)
    shared.peepholes = loop.share(weights.peepholes);
  Value ends = lengths ? loop.share(lengths) : Value();
  State state;
  state.hidden = loop.carry(initial("initial_h", direction));
  if (hasCell)
    state.cell = loop.carry(initial("initial_c", direction));
  Value tape;
  if (b.isWanted(0))
    tape = loop.carry(b.fill(0, elementOf(x), {steps, batch, cell.hidden}));

  loop.open();
  Value time = loop.index();
  if (backwards)
    time = b.sub(b.fill(double(steps - 1), time), time);
  Value now = loop.read(projected, time);
  State next = cell.step(now, state, shared);
  Value shown = next.hidden;
  if (ends) {
    // After its end a sequence keeps its state, and its outputs are zeros.
    Value isIn =
        b.compare(CompareKind::Lt, b.convert(time, elementOf(ends)), ends);
    isIn = b.reshape(isIn, {batch, 1});
    shown = b.select(isIn, next.hidden, b.fill(0, next.hidden));
    next.hidden = b.select(isIn, next.hidden, state.hidden);
    if (hasCell)
      next.cell = b.select(isIn, next.cell, state.cell);
  }
  Values yielded = {next.hidden};
  if (hasCell)
    yielded.push_back(next.cell);
  if (tape)
    yielded.push_back(loop.write(tape, time, shown));
  Values results = loop.close(yielded);
  lastHidden.push_back(results[0]);
  if (hasCell)
    lastCell.push_back(results[1]);
  if (tape)
    outputs.push_back(results.back());
}

Values Recurrence::convert(ArrayRef<StringRef> defaults) {
  batchFirst = b.since() >= 14 && b.integer("layout") == 1;
  x = b.operand("X");
  if (batchFirst)
    x = b.transpose(x, {1, 0, 2});
  steps = shapeOf(x)[0];
  batch = shapeOf(x)[1];
  lengths = b.raw("sequence_lens");
  StringRef direction = b.string("direction");
  const int64_t directions = direction == "bidirectional" ? 2 : 1;
  if (direction != "forward" && direction != "reverse" && directions == 1)
    return b.refuse("there is no direction '" + direction + "'"), Values();
  if (!checkShapes(directions) || !readActivations(defaults, directions))
    return {};
  for (int64_t number = 0; number < directions; ++number) {
    const auto first = all.begin() + number * std::ssize(defaults);
    cell.activations.assign(first, first + std::ssize(defaults));
    runDirection(number, number == 1 || direction == "reverse");
  }
  // The dimension of directions is the second one in outputs for all times,
  // otherwise the first; with the batch first it comes after the batch.
  auto stack = [&](ArrayRef<Value> parts, int64_t dim) {
    Values wide;
    for (Value part : parts) {
      Extents shape(shapeOf(part));
      shape.insertAt(dim, 1);
      wide.push_back(b.reshape(part, shape));
    }
    return b.concat(wide, dim);
  };
  Values results(hasCell ? 3 : 2);
  if (!outputs.empty()) {
    results[0] = stack(outputs, 1);
    if (batchFirst)
      results[0] = b.transpose(results[0], {2, 0, 1, 3});
  }
  results[1] = stack(lastHidden, batchFirst ? 1 : 0);
  if (hasCell)
    results[2] = stack(lastCell, batchFirst ? 1 : 0);
  return results;
}

int64_t hiddenSize(NodeBuilder &b) {
  return rankOf(b.raw("R")) > 0 ? shapeOf(b.raw("R")).back() : 0;
}

Values convertRnn(NodeBuilder &b) {
  RnnCell cell(b, hiddenSize(b), 1);
  return Recurrence(b, cell, false).convert({"Tanh"});
}
Values convertGru(NodeBuilder &b) {
  GruCell cell(b, hiddenSize(b));
  return Recurrence(b, cell, false).convert({"Sigmoid", "Tanh"});
}
Values convertLstm(NodeBuilder &b) {
  LstmCell cell(b, hiddenSize(b));
  return Recurrence(b, cell, true).convert({"Sigmoid", "Tanh", "Tanh"});
}

} // namespace

void onnx_to_repro::addRecurrent(OperatorTable &table) {
  table.addMany("RNN", {7, 14, 22}, convertRnn);
  table.addMany("GRU", {7, 14, 22}, convertGru);
  table.addMany("LSTM", {7, 14, 22}, convertLstm);
}
