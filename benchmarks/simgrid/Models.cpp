// See Models.h.

#include "Models.h"

namespace gensyn::simulation {

int64_t Parameter::elements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int64_t Model::elements() const {
  int64_t count = 0;
  for (const Parameter &parameter : parameters)
    count += parameter.elements();
  return count;
}

double Model::operations() const {
  return 6.0 * double(multiplied) * double(tokens);
}

namespace {
using Shapes = std::vector<std::vector<int64_t>>;

/// Adds parameters that the forward pass uses in this order.
void add(Model &model, const Shapes &shapes) {
  for (const std::vector<int64_t> &shape : shapes)
    model.parameters.push_back({shape});
}

/// The backward pass goes through parameters in reverse, and takes a time for
/// each that is proportional to its elements. `head` elements, those of the
/// last product, come first in it; the first `lookups` parameters take none.
void setTimes(Model &model, int64_t head, size_t lookups) {
  int64_t all = head, done = head;
  for (size_t i = lookups; i < model.parameters.size(); ++i)
    all += model.parameters[i].elements();
  for (size_t i = model.parameters.size(); i-- > 0;) {
    if (i >= lookups)
      done += model.parameters[i].elements();
    model.parameters[i].readyAt = double(done) / double(all);
  }
  model.multiplied = all;
}

Model gpt2() {
  const int64_t width = 768, vocabulary = 50257, positions = 1024;
  Model model;
  model.tokens = 8 * 1024;
  add(model, {{vocabulary, width}, {positions, width}});
  for (int layer = 0; layer < 12; ++layer)
    add(model, {{width},
                {width},
                {width, 3 * width},
                {3 * width},
                {width, width},
                {width},
                {width},
                {width},
                {width, 4 * width},
                {4 * width},
                {4 * width, width},
                {width}});
  add(model, {{width}, {width}});
  // The last product reads the embedding, whose gradient is therefore complete
  // at the end alone.
  setTimes(model, vocabulary * width, 2);
  return model;
}

Model llama() {
  const int64_t width = 4096, inner = 14336, keys = 1024, vocabulary = 128256;
  Model model;
  model.tokens = 8192;
  add(model, {{vocabulary, width}});
  for (int layer = 0; layer < 32; ++layer)
    add(model, {{width},
                {width, width},
                {keys, width},
                {keys, width},
                {width, width},
                {width},
                {inner, width},
                {inner, width},
                {width, inner}});
  add(model, {{width}, {vocabulary, width}});
  setTimes(model, 0, 1);
  return model;
}

Model single() {
  Model model = gpt2();
  model.parameters = {{{model.elements()}, 1}};
  return model;
}
} // namespace

std::optional<Model> modelOf(const std::string &name) {
  if (name == "gpt2")
    return gpt2();
  if (name == "llama3-8b")
    return llama();
  if (name == "single")
    return single();
  return std::nullopt;
}

} // namespace gensyn::simulation
