// Adam in plain nodes. ONNX's own adds epsilon before the bias correction, as
// TensorFlow's does, and counts steps in another way.

#include "AlgorithmBuilder.h"
#include "onnx/onnx_pb.h"

using namespace mlir;
using ::onnx::TensorProto;

namespace gensyn {
namespace {

class AdamBuilder {
public:
  AdamBuilder(AlgorithmBuilder &b, const AdamNumbers &numbers)
      : b(b), numbers(numbers) {}

  /// Adds the powers of the betas, and the step size and the divisor that
  /// depend on them.
  void addShared();
  void addUpdate(const TensorProto &parameter, const std::string &gradient);

  std::vector<AlgorithmChange> changes;

private:
  std::string power(const std::string &name, double beta);
  std::string number(int element, double value);
  std::string cast(const std::string &scalar, int element);
  std::string state(const TensorProto &parameter, const std::string &name);
  void change(const TensorProto &like, const std::string &initializer,
              const std::string &value) {
    changes.push_back({initializer,
                       value,
                       like.data_type(),
                       {like.dims().begin(), like.dims().end()}});
  }

  AlgorithmBuilder &b;
  const AdamNumbers &numbers;
  /// Constants in f64, and their casts to other types.
  std::string step, correction;
  std::map<std::pair<std::string, int>, std::string> casts;
  std::map<std::pair<int, double>, std::string> constants;
};

std::string AdamBuilder::number(int element, double value) {
  std::string &name = constants[{element, value}];
  if (name.empty())
    name = b.fill("optimizer.number", element, {}, value);
  return name;
}

std::string AdamBuilder::cast(const std::string &scalar, int element) {
  if (element == TensorProto::DOUBLE)
    return scalar;
  std::string &name = casts[{scalar, element}];
  if (name.empty()) {
    name = b.node("Cast", {scalar}, scalar + ".rounded");
    auto *to = b.graph.mutable_node(b.graph.node_size() - 1)->add_attribute();
    to->set_name("to");
    to->set_type(::onnx::AttributeProto::INT);
    to->set_i(element);
  }
  return name;
}

std::string AdamBuilder::state(const TensorProto &parameter,
                               const std::string &name) {
  return b.fill(
      parameter.name() + "." + name, parameter.data_type(),
      ArrayRef<int64_t>(parameter.dims().data(), size_t(parameter.dims_size())),
      0);
}

/// The power after this step, from a state whose initial value is 1.
std::string AdamBuilder::power(const std::string &name, double beta) {
  std::string before = b.fill(name, TensorProto::DOUBLE, {}, 1);
  std::string after = b.node("Mul", {number(TensorProto::DOUBLE, beta), before},
                             name + ".next");
  changes.push_back({before, after, TensorProto::DOUBLE, {}});
  return after;
}

void AdamBuilder::addShared() {
  std::string one = number(TensorProto::DOUBLE, 1);
  std::string first = power("optimizer.beta1_power", numbers.beta1);
  std::string second = power("optimizer.beta2_power", numbers.beta2);
  std::string rest = b.node("Sub", {one, first}, "optimizer.rest1");
  correction = b.node("Sqrt", {b.node("Sub", {one, second}, "optimizer.rest2")},
                      "optimizer.correction");
  std::string rate = number(TensorProto::DOUBLE, -numbers.lr);
  if (numbers.tensorflowEps)
    rate = b.node("Mul", {rate, correction}, "optimizer.rate");
  step = b.node("Div", {rate, rest}, "optimizer.step");
}

void AdamBuilder::addUpdate(const TensorProto &parameter,
                            const std::string &gradient) {
  const int type = parameter.data_type();
  const std::string &name = parameter.name();
  auto times = [&](double factor, const std::string &x, const char *what) {
    return b.node("Mul", {number(type, factor), x}, name + "." + what);
  };
  auto node = [&](const char *op, const std::string &x, const std::string &y,
                  const char *what) {
    return b.node(op, {x, y}, name + "." + what);
  };
  std::string x = name, g = gradient;
  if (numbers.kept != 1)
    x = times(numbers.kept, x, "decayed");
  if (numbers.penalty != 0)
    g = node("Add", times(numbers.penalty, x, "penalty"), g, "regularized");
  std::string mean = state(parameter, "exp_avg");
  std::string square = state(parameter, "exp_avg_sq");
  std::string way = node("Sub", g, mean, "way");
  std::string nextMean =
      node("Add", mean, times(1 - numbers.beta1, way, "part"), "exp_avg.next");
  std::string scaled = times(1 - numbers.beta2, g, "scaled");
  std::string nextSquare =
      node("Add", times(numbers.beta2, square, "kept_square"),
           node("Mul", scaled, g, "square"), "exp_avg_sq.next");
  std::string divisor = nextSquare;
  change(parameter, mean, nextMean);
  change(parameter, square, nextSquare);
  if (numbers.amsgrad) {
    std::string most = state(parameter, "max_exp_avg_sq");
    divisor = node("Max", most, nextSquare, "max_exp_avg_sq.next");
    change(parameter, most, divisor);
  }
  std::string root = b.node("Sqrt", {divisor}, name + ".root");
  if (!numbers.tensorflowEps)
    root = node("Div", root, cast(correction, type), "corrected");
  root = node("Add", root, number(type, numbers.eps), "divisor");
  std::string move = node("Mul", cast(step, type), nextMean, "move");
  change(parameter, name,
         node("Add", x, node("Div", move, root, "change"), "next"));
}
} // namespace

std::vector<AlgorithmChange> buildAdam(AlgorithmBuilder &b,
                                       const AdamNumbers &numbers,
                                       ArrayRef<const TensorProto *> parameters,
                                       ArrayRef<std::string> gradients) {
  AdamBuilder builder(b, numbers);
  builder.addShared();
  for (auto [parameter, gradient] : llvm::zip_equal(parameters, gradients))
    builder.addUpdate(*parameter, gradient);
  return std::move(builder.changes);
}
} // namespace gensyn
