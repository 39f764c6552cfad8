// The tensors of models, and when the backward pass has computed their
// gradients.
#ifndef GENSYN_BENCHMARKS_SIMGRID_MODELS_H
#define GENSYN_BENCHMARKS_SIMGRID_MODELS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::simulation {

struct Parameter {
  std::vector<int64_t> shape;
  /// The part of the backward pass that is over when the gradient is complete.
  double readyAt = 0;

  int64_t elements() const;
};

struct Model {
  /// In the order of the program, which is not that of the backward pass.
  std::vector<Parameter> parameters;
  /// Of a microbatch of a rank.
  int64_t tokens = 0;

  int64_t elements() const;
  /// Floating-point operations of a microbatch: those of the products with
  /// parameters, 2 forward and 4 backward for each element and token.
  double operations() const;
  /// Elements of the matrices that products read; an embedding is looked up.
  int64_t multiplied = 0;
};

/// GPT-2 124M with microbatches of 8 x 1024 tokens, or a model of the shape of
/// Llama 3 8B with 1 x 8192, or a single tensor of as many elements as GPT-2
/// has, of which all ranks own alike; nothing for another name.
std::optional<Model> modelOf(const std::string &name);

} // namespace gensyn::simulation

#endif
