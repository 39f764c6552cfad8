// Optimizers: f32 steps bit for bit as optimizer_r2 to optimizer_r6 say, and
// f64 steps against the formulas as they are commonly written.

#include "Harness.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <functional>

using namespace gensyn;
using namespace gensyn::train::test;

static const int64_t count = 5;

/// A program of one parameter and its rule, run step by step.
class Trainer {
public:
  /// `type` is "f32" or "f64".
  Trainer(double rate, const std::string &ruleText, const std::string &type)
      : rate(Tensor::scalar(rate)) {
    mlir::Attribute attribute = mlir::parseAttribute(ruleText, &context());
    auto rule = llvm::cast<train::OptimizerRuleInterface>(attribute);
    auto element = type == "f32"
                       ? mlir::Type(mlir::Float32Type::get(&context()))
                       : mlir::Type(mlir::Float64Type::get(&context()));
    auto parameter = mlir::RankedTensorType::get({count}, element);
    numStates = rule.getStates(parameter).size();
    std::string own, shared, ownTypes, sharedTypes, arguments;
    auto add = [&](const train::OptimizerState &state, const char *prefix,
                   std::string &names, std::string &types) {
      std::string name = "%" + std::string(prefix) + state.name.str();
      std::string text = print(state.type);
      arguments += ", " + name + ": " + text;
      names += (names.empty() ? "" : ", ") + name;
      types += (types.empty() ? "" : ", ") + text;
      states.push_back(filled(state));
    };
    for (const auto &state : rule.getStates(parameter))
      add(state, "own_", own, ownTypes);
    for (const auto &state : rule.getSharedStates())
      add(state, "shared_", shared, sharedTypes);

    std::string p = print(parameter), results = p, values = "%new#0";
    for (size_t i = 1; i <= numStates; ++i)
      values += ", %new#" + std::to_string(i);
    if (!own.empty())
      results += ", " + ownTypes;
    std::string operands = p + ", " + p + ", tensor<f64>";
    if (!own.empty())
      operands += ", " + ownTypes;
    std::string text = "func.func @main(%p: " + p + ", %g: " + p +
                       ", %rate: tensor<f64>" + arguments + ") -> (" + results +
                       (shared.empty() ? "" : ", " + sharedTypes) + ") {\n";
    text += "  %new:" + std::to_string(numStates + 1) + " = train.update " +
            ruleText + " of %p, %g rate %rate";
    if (!own.empty())
      text += " states (" + own + ")";
    if (!shared.empty()) {
      text += " shared (" + shared + ")";
      operands += ", " + sharedTypes;
    }
    text += " : (" + operands + ") -> (" + results + ")\n";
    if (!shared.empty()) {
      size_t n = states.size() - numStates;
      text += "  %next:" + std::to_string(n) + " = train.advance " + ruleText +
              " of " + shared + " : (" + sharedTypes + ") -> (" + sharedTypes +
              ")\n";
      for (size_t i = 0; i < n; ++i)
        values += ", %next#" + std::to_string(i);
    }
    text += "  return " + values + " : " + results +
            (shared.empty() ? "" : ", " + sharedTypes) + "\n}\n";
    module = compile(text);
  }

  Tensor step(const Tensor &parameter, const Tensor &gradient) {
    std::vector<Tensor> arguments = {parameter, gradient, rate};
    arguments.insert(arguments.end(), states.begin(), states.end());
    std::vector<Tensor> results = run(*module, "main", arguments);
    EXPECT_EQ(results.size(), states.size() + 1);
    states.assign(results.begin() + 1, results.end());
    return results[0];
  }

private:
  static std::string print(mlir::Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  static Tensor filled(const train::OptimizerState &state) {
    std::vector<int64_t> shape = state.type.getShape().vec();
    size_t size = shape.empty() ? 1 : count;
    if (state.type.getElementType().isF32())
      return Tensor::of(shape, std::vector<float>(size, float(state.fill)));
    if (state.type.getElementType().isF64())
      return Tensor::of(shape, std::vector<double>(size, state.fill));
    return Tensor::scalar(state.fill != 0);
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  Tensor rate;
  size_t numStates = 0;
  std::vector<Tensor> states;
};

/// One element's step: takes parameter, gradient, the number of the step from 1
/// and the element's memory, and returns the new parameter.
template <class T> using Step = std::function<T(T p, T g, int t, T *memory)>;

/// Runs six steps of both and compares; tolerance 0 means bit for bit.
template <class T>
static void expectSteps(double rate, const std::string &rule,
                        const Step<T> &step, double tolerance,
                        T memoryFill = 0) {
  SCOPED_TRACE(rule);
  Trainer trainer(rate, rule, sizeof(T) == 4 ? "f32" : "f64");
  auto numbers = [](double low, double high, int salt) {
    std::vector<double> wide = spread(count, low, high, salt);
    return std::vector<T>(wide.begin(), wide.end());
  };
  std::vector<T> expected = numbers(-1.5, 1.5, 0);
  std::vector<std::array<T, 4>> memory(count);
  for (auto &cells : memory)
    cells.fill(memoryFill);
  Tensor parameter = Tensor::of({count}, expected);
  for (int t = 1; t <= 6; ++t) {
    std::vector<T> gradient = numbers(-2, 3, t);
    parameter = trainer.step(parameter, Tensor::of({count}, gradient));
    for (int64_t i = 0; i < count; ++i) {
      expected[i] = step(expected[i], gradient[i], t, memory[i].data());
      T found = std::as_const(parameter).as<T>()[i];
      if (tolerance == 0)
        EXPECT_EQ(found, expected[i]) << "step " << t << ", element " << i;
      else
        EXPECT_NEAR(found, expected[i], tolerance) << "step " << t;
    }
  }
}

static const double near = 1e-13;

TEST(Optimizers, SgdIsTheFormula) {
  expectSteps<double>(
      0.1,
      "#train.sgd<momentum = 0.0, dampening = 0.0, weight_decay = "
      "0.0, nesterov = false>",
      [](double p, double g, int, double *) { return p - 0.1 * g; }, near);
  for (bool nesterov : {false, true})
    expectSteps<double>(
        0.1,
        std::string("#train.sgd<momentum = 0.9, dampening = 0.0, "
                    "weight_decay = 0.01, nesterov = ") +
            (nesterov ? "true>" : "false>"),
        [=](double p, double g, int t, double *v) {
          g += 0.01 * p;
          v[0] = t == 1 ? g : 0.9 * v[0] + g;
          return p - 0.1 * (nesterov ? g + 0.9 * v[0] : v[0]);
        },
        near);
  // With dampening the first step is not the formula's at v = 0.
  expectSteps<double>(
      0.1,
      "#train.sgd<momentum = 0.9, dampening = 0.25, weight_decay = "
      "0.0, nesterov = false>",
      [](double p, double g, int t, double *v) {
        v[0] = t == 1 ? g : 0.9 * v[0] + 0.75 * g;
        return p - 0.1 * v[0];
      },
      near);
}

TEST(Optimizers, AdamIsTheFormula) {
  for (bool amsgrad : {false, true})
    for (bool decoupled : {false, true})
      expectSteps<double>(
          0.01,
          std::string("#train.adam") + (decoupled ? "w" : "") +
              "<beta1 = 0.8, beta2 = 0.95, eps = 1.0e-8, "
              "weight_decay = 0.1, amsgrad = " +
              (amsgrad ? "true>" : "false>"),
          [=](double p, double g, int t, double *s) {
            if (decoupled)
              p *= 1 - 0.01 * 0.1;
            else
              g += 0.1 * p;
            s[0] = 0.8 * s[0] + 0.2 * g;
            s[1] = 0.95 * s[1] + 0.05 * g * g;
            s[2] = std::max(s[2], s[1]);
            double v = amsgrad ? s[2] : s[1];
            double mean = s[0] / (1 - std::pow(0.8, t));
            return p - 0.01 * mean /
                           (std::sqrt(v / (1 - std::pow(0.95, t))) + 1e-8);
          },
          near);
}

// A small first beta takes the other side of lerp.
TEST(Optimizers, AdamWithASmallBeta) {
  expectSteps<double>(
      0.01,
      "#train.adam<beta1 = 0.25, beta2 = 0.5, eps = 1.0e-8, "
      "weight_decay = 0.0, amsgrad = false>",
      [](double p, double g, int t, double *s) {
        s[0] = 0.25 * s[0] + 0.75 * g;
        s[1] = 0.5 * s[1] + 0.5 * g * g;
        return p - 0.01 * s[0] / (1 - std::pow(0.25, t)) /
                       (std::sqrt(s[1] / (1 - std::pow(0.5, t))) + 1e-8);
      },
      near);
}

TEST(Optimizers, AdagradIsTheFormula) {
  for (double decay : {0.0, 0.3})
    expectSteps<double>(
        0.1,
        "#train.adagrad<lr_decay = " + std::to_string(decay) +
            ", weight_decay = 0.05, initial_accumulator_value = 0.5, eps = "
            "1.0e-10>",
        [=](double p, double g, int t, double *s) {
          g += 0.05 * p;
          s[0] += g * g;
          return p -
                 0.1 / (1 + (t - 1) * decay) * g / (std::sqrt(s[0]) + 1e-10);
        },
        near, 0.5);
}

TEST(Optimizers, RmsPropIsTheFormula) {
  for (bool centered : {false, true})
    for (double momentum : {0.0, 0.9})
      expectSteps<double>(
          0.01,
          "#train.rmsprop<alpha = 0.9, eps = 0.001, weight_decay = "
          "0.05, momentum = " +
              std::to_string(momentum) +
              ", centered = " + (centered ? "true>" : "false>"),
          [=](double p, double g, int, double *s) {
            g += 0.05 * p;
            s[0] = 0.9 * s[0] + 0.1 * g * g;
            s[1] = 0.9 * s[1] + 0.1 * g;
            double v = centered ? s[0] - s[1] * s[1] : s[0];
            s[2] = momentum * s[2] + g / (std::sqrt(v) + 0.001);
            return p - 0.01 * s[2];
          },
          near);
}

// optimizer_r2, rounding by rounding.
TEST(Optimizers, SgdBitForBit) {
  expectSteps<float>(
      0.1,
      "#train.sgd<momentum = 0.9, dampening = 0.0, weight_decay = "
      "0.01, nesterov = true>",
      [](float p, float g, int t, float *v) {
        g = std::fma(0.01f, p, g);
        v[0] = t == 1 ? g : 0.9f * v[0] + g;
        return std::fma(-0.1f, std::fma(0.9f, v[0], g), p);
      },
      0);
}

// optimizer_r3 and optimizer_r4.
TEST(Optimizers, AdamBitForBit) {
  for (bool decoupled : {false, true})
    expectSteps<float>(
        0.01,
        std::string("#train.adam") + (decoupled ? "w" : "") +
            "<beta1 = 0.8, beta2 = 0.95, eps = 1.0e-8, "
            "weight_decay = 0.1, amsgrad = false>",
        [=](float p, float g, int t, float *s) {
          if (decoupled)
            p *= float(1 - 0.01 * 0.1);
          else
            g = std::fma(0.1f, p, g);
          s[0] = std::fma(float(1 - 0.8), g - s[0], s[0]);
          s[1] = 0.95f * s[1] + float(1 - 0.95) * g * g;
          double power1 = 1, power2 = 1;
          for (int i = 0; i < t; ++i) {
            power1 *= 0.8;
            power2 *= 0.95;
          }
          float step = float(-(0.01 / (1 - power1)));
          float root = std::sqrt(s[1]) / float(std::sqrt(1 - power2)) + 1e-8f;
          return p + step * s[0] / root;
        },
        0);
}

// optimizer_r5.
TEST(Optimizers, AdagradBitForBit) {
  expectSteps<float>(
      0.1,
      "#train.adagrad<lr_decay = 0.3, weight_decay = 0.0, "
      "initial_accumulator_value = 0.0, eps = 1.0e-10>",
      [](float p, float g, int t, float *s) {
        s[0] = s[0] + g * g;
        float step = float(-(0.1 / (0.3 * (t - 1) + 1)));
        return p + step * g / (std::sqrt(s[0]) + 1e-10f);
      },
      0);
}

// optimizer_r6.
TEST(Optimizers, RmsPropBitForBit) {
  expectSteps<float>(
      0.01,
      "#train.rmsprop<alpha = 0.9, eps = 0.001, weight_decay = 0.0, "
      "momentum = 0.9, centered = true>",
      [](float p, float g, int, float *s) {
        s[0] = 0.9f * s[0] + float(1 - 0.9) * g * g;
        s[1] = std::fma(float(1 - 0.9), g - s[1], s[1]);
        float root = std::sqrt(s[0] - s[1] * s[1]) + 0.001f;
        s[2] = 0.9f * s[2] + g / root;
        return std::fma(-0.01f, s[2], p);
      },
      0);
}
