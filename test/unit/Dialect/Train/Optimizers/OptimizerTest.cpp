// Optimizers: f32 steps bit for bit as optimizer_r2 to optimizer_r6,
// optimizer_r8 to optimizer_r13, optimizer_r17 and optimizer_r18 say, and f64
// steps against the formulas as they are commonly written.

#include "Trainer.h"
#include "gensyn/Numerics/Functions/ExpF64.h"
#include "gensyn/Numerics/Native.h"
#include "gtest/gtest.h"

#include <cmath>
#include <functional>

using namespace gensyn;
using namespace gensyn::train::test;

static const int64_t count = 5;

/// One element's step: takes parameter, gradient, the number of the step from 1
/// and the element's memory, and returns the new parameter.
template <class T> using Step = std::function<T(T p, T g, int t, T *memory)>;

/// Runs six steps of both and compares; tolerance 0 means bit for bit.
template <class T>
static void expectSteps(double rate, const std::string &rule,
                        const Step<T> &step, double tolerance,
                        T memoryFill = 0) {
  SCOPED_TRACE(rule);
  auto element = sizeof(T) == 4
                     ? mlir::Type(mlir::Float32Type::get(&context()))
                     : mlir::Type(mlir::Float64Type::get(&context()));
  Trainer trainer(rate, rule, mlir::RankedTensorType::get({count}, element));
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

// The end of a rule's text; eps is added in another place.
static std::string endOf(bool tensorflowEps) {
  return tensorflowEps ? ", tensorflow_eps = true>" : ">";
}

// optimizer_r3 and optimizer_r4.
TEST(Optimizers, AdamBitForBit) {
  for (auto [decoupled, tensorflowEps] :
       {std::pair(false, false), {true, false}, {false, true}, {true, true}})
    expectSteps<float>(
        0.01,
        std::string("#train.adam") + (decoupled ? "w" : "") +
            "<beta1 = 0.8, beta2 = 0.95, eps = 1.0e-2, "
            "weight_decay = 0.1, amsgrad = false" +
            endOf(tensorflowEps),
        [decoupled = decoupled,
         tensorflowEps = tensorflowEps](float p, float g, int t, float *s) {
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
          double correction = std::sqrt(1 - power2);
          if (tensorflowEps) {
            float step = float(-(0.01 * correction / (1 - power1)));
            return p + step * s[0] / (std::sqrt(s[1]) + 1e-2f);
          }
          float step = float(-(0.01 / (1 - power1)));
          float root = std::sqrt(s[1]) / float(correction) + 1e-2f;
          return p + step * s[0] / root;
        },
        0);
}

// optimizer_r5.
TEST(Optimizers, AdagradBitForBit) {
  for (bool tensorflowEps : {false, true})
    expectSteps<float>(
        0.1,
        "#train.adagrad<lr_decay = 0.3, weight_decay = 0.0, "
        "initial_accumulator_value = 0.0, eps = 1.0e-2" +
            endOf(tensorflowEps),
        [=](float p, float g, int t, float *s) {
          s[0] = s[0] + g * g;
          float step = float(-(0.1 / (0.3 * (t - 1) + 1)));
          return p + step * g /
                         (tensorflowEps ? std::sqrt(s[0] + 1e-2f)
                                        : std::sqrt(s[0]) + 1e-2f);
        },
        0);
}

// optimizer_r6.
TEST(Optimizers, RmsPropBitForBit) {
  for (bool tensorflowEps : {false, true})
    expectSteps<float>(
        0.01,
        "#train.rmsprop<alpha = 0.9, eps = 0.001, weight_decay = 0.0, "
        "momentum = 0.9, centered = true" +
            endOf(tensorflowEps),
        [=](float p, float g, int, float *s) {
          s[0] = 0.9f * s[0] + float(1 - 0.9) * g * g;
          s[1] = std::fma(float(1 - 0.9), g - s[1], s[1]);
          float variance = s[0] - s[1] * s[1];
          float root = tensorflowEps ? std::sqrt(variance + 0.001f)
                                     : std::sqrt(variance) + 0.001f;
          s[2] = 0.9f * s[2] + g / root;
          return std::fma(-0.01f, s[2], p);
        },
        0);
}

static double power(double base, int exponent) {
  double result = 1;
  for (int i = 0; i < exponent; ++i)
    result *= base;
  return result;
}

// optimizer_r9.
TEST(Optimizers, NAdamBitForBit) {
  for (bool decoupled : {false, true})
    expectSteps<float>(
        0.01,
        std::string("#train.nadam<beta1 = 0.8, beta2 = 0.95, eps = 1.0e-8, "
                    "weight_decay = 0.1, momentum_decay = 0.25, "
                    "decoupled_weight_decay = ") +
            (decoupled ? "true>" : "false>"),
        [=](float p, float g, int t, float *s) {
          auto mu = [](double step) {
            double root = -0x1.4e69ed6d80eb3p-5 * (0.25 * step);
            return 0.8 * (1 - 0.5 * functions::expF64(Native(), root));
          };
          double product = 1;
          for (int i = 1; i <= t; ++i)
            product *= mu(i);
          if (decoupled)
            p *= float(1 - 0.1 * 0.01);
          else
            g = std::fma(0.1f, p, g);
          s[0] = std::fma(float(1 - 0.8), g - s[0], s[0]);
          s[1] = 0.95f * s[1] + float(1 - 0.95) * g * g;
          float root = std::sqrt(s[1] / float(1 - power(0.95, t))) + 1e-8f;
          p += float(-0.01 * (1 - mu(t)) / (1 - product)) * g / root;
          double next = mu(t + 1);
          return p + float(-0.01 * next / (1 - product * next)) * s[0] / root;
        },
        0);
}

// optimizer_r10: the length is above 5 from the sixth step on.
TEST(Optimizers, RAdamBitForBit) {
  for (bool decoupled : {false, true})
    expectSteps<float>(
        0.01,
        std::string("#train.radam<beta1 = 0.8, beta2 = 0.95, eps = 1.0e-8, "
                    "weight_decay = 0.1, decoupled_weight_decay = ") +
            (decoupled ? "true>" : "false>"),
        [=](float p, float g, int t, float *s) {
          if (decoupled)
            p *= float(1 - 0.1 * 0.01);
          else
            g = std::fma(0.1f, p, g);
          s[0] = std::fma(float(1 - 0.8), g - s[0], s[0]);
          s[1] = 0.95f * s[1] + float(1 - 0.95) * g * g;
          double rest = 1 - power(0.95, t), most = 2 / (1 - 0.95) - 1;
          double length = most - 2.0 * t * power(0.95, t) / rest;
          float change = s[0] / float(1 - power(0.8, t)) * 0.01f;
          if (length > 5) {
            EXPECT_GE(t, 6);
            float adaptive = float(std::sqrt(rest)) / (std::sqrt(s[1]) + 1e-8f);
            double above = (length - 4) * (length - 2) * most;
            double below = (most - 4) * (most - 2) * length;
            change = change * adaptive * float(std::sqrt(above / below));
          }
          return p - change;
        },
        0);
}

// optimizer_r11.
TEST(Optimizers, AdamaxBitForBit) {
  for (bool tensorflowEps : {false, true})
    expectSteps<float>(
        0.01,
        "#train.adamax<beta1 = 0.8, beta2 = 0.95, eps = 1.0e-3, weight_decay = "
        "0.1" +
            endOf(tensorflowEps),
        [=](float p, float g, int t, float *s) {
          float inside = tensorflowEps ? 0.0f : 1e-3f;
          g = std::fma(0.1f, p, g);
          s[0] = std::fma(float(1 - 0.8), g - s[0], s[0]);
          s[1] = std::max(0.95f * s[1], std::abs(g) + inside);
          float divisor = tensorflowEps ? s[1] + 1e-3f : s[1];
          return p + float(-(0.01 / (1 - power(0.8, t)))) * s[0] / divisor;
        },
        0);
}

// optimizer_r12.
TEST(Optimizers, AdadeltaBitForBit) {
  expectSteps<float>(
      0.5, "#train.adadelta<rho = 0.9, eps = 1.0e-3, weight_decay = 0.1>",
      [](float p, float g, int, float *s) {
        g = std::fma(0.1f, p, g);
        s[0] = 0.9f * s[0] + float(1 - 0.9) * g * g;
        float change = std::sqrt(s[1] + 1e-3f) / std::sqrt(s[0] + 1e-3f) * g;
        s[1] = 0.9f * s[1] + float(1 - 0.9) * change * change;
        return std::fma(-0.5f, change, p);
      },
      0);
}

// optimizer_r13, and optimizer_r8: upwards is along the negated gradient.
TEST(Optimizers, LionBitForBit) {
  for (bool upwards : {false, true})
    expectSteps<float>(
        0.01,
        upwards ? "#train.maximize<#train.lion<beta1 = 0.75, beta2 = 0.99, "
                  "weight_decay = 0.1>>"
                : "#train.lion<beta1 = 0.75, beta2 = 0.99, weight_decay = 0.1>",
        [=](float p, float g, int, float *s) {
          if (upwards)
            g = -g;
          float direction = std::fma(0.25f, g, 0.75f * s[0]);
          s[0] = std::fma(float(1 - 0.99), g, 0.99f * s[0]);
          float sign = float(direction > 0) - float(direction < 0);
          return std::fma(-0.01f, sign, float(1 - 0.1 * 0.01) * p);
        },
        0);
}

// optimizer_r17, with an exponent that leaves the step size what it is.
TEST(Optimizers, AsgdBitForBit) {
  expectSteps<float>(
      0.1,
      "#train.asgd<lambd = 0.25, alpha = 0.0, t0 = 2.0, weight_decay = 0.1>",
      [](float p, float g, int, float *) {
        g = std::fma(0.1f, p, g);
        const double eta = 0.1f;
        return std::fma(float(-eta), g, float(1 - 0.25 * eta) * p);
      },
      0);
}

// optimizer_r18.
TEST(Optimizers, RpropBitForBit) {
  expectSteps<float>(
      0.1,
      "#train.rprop<eta_minus = 0.5, eta_plus = 1.25, step_min = 0.05, "
      "step_max = 0.2>",
      [](float p, float g, int t, float *s) {
        float x = g * s[0];
        float size = t == 1 ? 0.1f : s[1];
        size *= x > 0 ? 1.25f : x < 0 ? 0.5f : 1.0f;
        s[1] = std::min(std::max(size, 0.05f), 0.2f);
        s[0] = x < 0 ? 0.0f : g;
        return p - (float(s[0] > 0) - float(s[0] < 0)) * s[1];
      },
      0);
}

// A direction that is NaN does not count as flat.
TEST(Optimizers, LionKeepsNaN) {
  auto type =
      mlir::RankedTensorType::get({3}, mlir::Float32Type::get(&context()));
  Trainer trainer(
      0.5, "#train.lion<beta1 = 0.5, beta2 = 0.5, weight_decay = 0.0>", type);
  Tensor p = trainer.step(Tensor::of<float>({3}, {1, 2, 3}),
                          Tensor::of<float>({3}, {0, NAN, -1}));
  EXPECT_EQ(std::as_const(p).as<float>()[0], 1.0f);
  EXPECT_TRUE(std::isnan(std::as_const(p).as<float>()[1]));
  EXPECT_EQ(std::as_const(p).as<float>()[2], 3.5f);
}

// A norm of 0 makes the ratio 1: optimizer_r14.
TEST(Optimizers, LambLeavesZero) {
  auto type =
      mlir::RankedTensorType::get({2}, mlir::Float64Type::get(&context()));
  std::string rule =
      "#train.lamb<beta1 = 0.5, beta2 = 0.75, eps = 0.0, weight_decay = 0.0>";
  Tensor zero = Tensor::of<double>({2}, {0, 0});
  Tensor moved =
      Trainer(0.25, rule, type).step(zero, Tensor::of<double>({2}, {4, -4}));
  EXPECT_EQ(std::as_const(moved).as<double>()[0], -0.25);
  EXPECT_EQ(std::as_const(moved).as<double>()[1], 0.25);
  Tensor still =
      Trainer(0.25,
              "#train.lamb<beta1 = 0.5, beta2 = 0.5, eps = 1.0, weight_decay = "
              "0.0>",
              type)
          .step(Tensor::of<double>({2}, {5, 6}), zero);
  EXPECT_EQ(std::as_const(still).as<double>()[0], 5.0);
}
