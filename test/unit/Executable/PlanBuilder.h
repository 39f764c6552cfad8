// Plans by hand.
#ifndef GENSYN_TEST_UNIT_EXECUTABLE_PLANBUILDER_H
#define GENSYN_TEST_UNIT_EXECUTABLE_PLANBUILDER_H

#include "gensyn/Executable/plan.pb.h"

#include <string>
#include <vector>

namespace gensyn::test {

inline plan::TensorSpec &setSpec(plan::TensorSpec &spec,
                                 const std::string &name,
                                 const std::string &role,
                                 const std::vector<int64_t> &shape,
                                 const std::string &type = "f32") {
  spec.set_name(name);
  spec.set_role(role);
  spec.set_element_type(type);
  spec.mutable_shape()->Add(shape.begin(), shape.end());
  return spec;
}

/// Adds ports to a plan and returns them.
inline plan::TensorSpec &addInput(plan::Plan &plan, const std::string &name,
                                  const std::string &role,
                                  const std::vector<int64_t> &shape,
                                  const std::string &type = "f32") {
  return setSpec(*plan.add_inputs(), name, role, shape, type);
}
inline plan::TensorSpec &addOutput(plan::Plan &plan, const std::string &name,
                                   const std::string &role,
                                   const std::vector<int64_t> &shape,
                                   int donated = -1) {
  plan.add_donated(donated);
  return setSpec(*plan.add_outputs(), name, role, shape);
}

/// out = (x + w) * k over n floats: an input, a parameter, a constant, an
/// intermediate in the arena, and two kernels of TinyKernels.cpp.
inline std::shared_ptr<plan::Executable> makeTinyExecutable(int64_t n) {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  plan::Plan &plan = *executable->mutable_plan();
  addInput(plan, "w", "parameter", {n}).mutable_initial()->set_fill(1.5);
  addInput(plan, "x", "input", {n});
  addOutput(plan, "y", "output", {n});
  uint64_t bytes = uint64_t(n) * 4;
  std::vector<float> twos(size_t(n), 2.0f);
  plan.add_constants(twos.data(), bytes);
  plan.set_arena_bytes(64 + bytes);
  auto addBuffer = [&] {
    plan::Buffer *buffer = plan.add_buffers();
    buffer->set_bytes(bytes);
    return buffer;
  };
  addBuffer()->set_input(0);
  addBuffer()->set_input(1);
  addBuffer()->set_arena(64);
  addBuffer()->set_constant(0);
  addBuffer()->set_output(0);
  auto addLaunch = [&](const char *kernel, std::vector<uint32_t> buffers) {
    plan::Launch *launch = plan.add_launches();
    launch->set_kernel(kernel);
    launch->set_tiles(n);
    launch->set_scratch_bytes(4);
    launch->mutable_buffers()->Add(buffers.begin(), buffers.end());
  };
  addLaunch("tiny_add", {1, 0, 2});
  addLaunch("tiny_mul", {2, 3, 4});
  return executable;
}

} // namespace gensyn::test

#endif
