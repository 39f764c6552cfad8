// PyTorch's RMSprop in plain nodes; ONNX has no operator for it.

#include "AlgorithmBuilder.h"
#include "onnx/onnx_pb.h"

using namespace mlir;
using ::onnx::TensorProto;

namespace gensyn {
namespace {

class RmsPropBuilder {
public:
  RmsPropBuilder(AlgorithmBuilder &b, const RmsNumbers &numbers,
                 const TensorProto &parameter,
                 std::vector<AlgorithmChange> &changes)
      : b(b), numbers(numbers), parameter(parameter), changes(changes) {}

  void build(const std::string &gradient);

private:
  std::string named(const char *what) { return parameter.name() + "." + what; }
  std::string number(double value, const char *what) {
    return b.fill(named(what), parameter.data_type(), {}, value);
  }
  std::string node(const char *op, const std::string &x, const std::string &y,
                   const char *what) {
    return b.node(op, {x, y}, named(what));
  }
  std::string state(const char *what) {
    return b.fill(named(what), parameter.data_type(),
                  ArrayRef<int64_t>(parameter.dims().data(),
                                    size_t(parameter.dims_size())),
                  0);
  }
  void change(const std::string &initializer, const std::string &value) {
    changes.push_back({initializer,
                       value,
                       parameter.data_type(),
                       {parameter.dims().begin(), parameter.dims().end()}});
  }

  AlgorithmBuilder &b;
  const RmsNumbers &numbers;
  const TensorProto &parameter;
  std::vector<AlgorithmChange> &changes;
};

void RmsPropBuilder::build(const std::string &gradient) {
  const std::string &x = parameter.name();
  std::string g = gradient;
  if (numbers.penalty != 0) {
    std::string penalty = number(numbers.penalty, "weight_decay");
    g = node("Add", node("Mul", penalty, x, "penalty"), g, "regularized");
  }
  std::string part = number(1 - numbers.alpha, "part");
  std::string square = state("square_avg");
  std::string kept =
      node("Mul", number(numbers.alpha, "alpha"), square, "kept_square");
  std::string scaled = node("Mul", part, g, "scaled");
  std::string nextSquare =
      node("Add", kept, node("Mul", scaled, g, "square"), "square_avg.next");
  change(square, nextSquare);
  std::string spread = nextSquare;
  if (numbers.centered) {
    std::string mean = state("grad_avg");
    std::string way = node("Sub", g, mean, "way");
    std::string nextMean =
        node("Add", mean, node("Mul", part, way, "more"), "grad_avg.next");
    change(mean, nextMean);
    spread = node("Sub", nextSquare,
                  node("Mul", nextMean, nextMean, "mean_square"), "variance");
  }
  std::string eps = number(numbers.eps, "eps"), root;
  if (numbers.tensorflowEps) {
    root = b.node("Sqrt", {node("Add", spread, eps, "raised")}, named("root"));
  } else {
    root = b.node("Sqrt", {spread}, named("root"));
    root = node("Add", root, eps, "divisor");
  }
  std::string rate = number(-numbers.lr, "rate"), move;
  if (numbers.momentum == 0) {
    move = node("Div", node("Mul", rate, g, "scaled_gradient"), root, "change");
  } else {
    std::string velocity = state("momentum_buffer");
    std::string rest = node("Mul", number(numbers.momentum, "momentum"),
                            velocity, "kept_velocity");
    std::string next = node("Add", rest, node("Div", g, root, "direction"),
                            "momentum_buffer.next");
    change(velocity, next);
    move = node("Mul", rate, next, "change");
  }
  change(x, node("Add", x, move, "next"));
}
} // namespace

std::vector<AlgorithmChange>
buildRmsProp(AlgorithmBuilder &b, const RmsNumbers &numbers,
             ArrayRef<const TensorProto *> parameters,
             ArrayRef<std::string> gradients) {
  std::vector<AlgorithmChange> changes;
  for (auto [parameter, gradient] : llvm::zip_equal(parameters, gradients))
    RmsPropBuilder(b, numbers, *parameter, changes).build(gradient);
  return changes;
}
} // namespace gensyn
