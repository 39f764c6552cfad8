// Training steps by hand, for devices that run PTX.
#ifndef GENSYN_TEST_UNIT_RUNTIME_TINYTRAINING_H
#define GENSYN_TEST_UNIT_RUNTIME_TINYTRAINING_H

#include "TinyPtx.h"
#include "gensyn/Runtime/Devices/Session.h"

#include <memory>
#include <optional>
#include <vector>

namespace gensyn::test {

/// w' = w + x, trained: w' replaces w, and the loss is w + x too.
inline std::shared_ptr<plan::Executable> makeTraining(int64_t n, bool inPlace) {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  plan::Plan &plan = *executable->mutable_plan();
  addInput(plan, "w", "parameter", {n}).mutable_initial()->set_fill(1.5);
  addInput(plan, "x", "input", {n});
  addOutput(plan, "w", "parameter", {n}, 0);
  addOutput(plan, "loss", "loss", {n});
  plan.add_in_place(inPlace);
  plan.add_in_place(false);
  for (int port = 0; port < 4; ++port) {
    plan::Buffer *buffer = plan.add_buffers();
    buffer->set_bytes(uint64_t(n) * 4);
    if (port < 2)
      buffer->set_input(uint32_t(port));
    else
      buffer->set_output(uint32_t(port - 2));
  }
  for (uint32_t output : {3u, 2u}) {
    plan::Launch *launch = plan.add_launches();
    launch->set_kernel("tiny_add");
    for (uint32_t buffer : {0u, 1u, output})
      launch->add_buffers(buffer);
    launch->add_grid(1);
    launch->add_block(uint32_t(n));
  }
  plan::Code *code = executable->add_code();
  code->set_target("sm_90");
  code->set_data(makeTinyPtx("sm_90"));
  return executable;
}

/// Gives a plan with launches an input `ok`, whose first byte is a fault if it
/// is 0.
inline void addCheck(plan::Executable &executable,
                     const std::vector<int64_t> &shape) {
  plan::Plan &plan = *executable.mutable_plan();
  addInput(plan, "ok", "input", shape, "i1");
  plan::Buffer &buffer = *plan.add_buffers();
  buffer.set_bytes(1);
  buffer.set_input(uint32_t(plan.inputs_size() - 1));
  plan::FaultSlot &fault = *plan.add_faults();
  fault.set_operation("m.onnx: node 'n' (Gather)");
  fault.set_message("index out of range");
  for (int number = 0; number < plan.launches_size(); ++number)
    plan.add_steps()->set_launch(number);
  plan::Step::Check &check = *plan.add_steps()->mutable_check();
  check.set_ok(uint32_t(plan.buffers_size() - 1));
  check.set_fault(0);
}

/// Inputs of makeTraining(1, ...), and of a check.
inline runtime::StepInputs inputOf(float x,
                                   std::optional<bool> ok = std::nullopt) {
  runtime::StepInputs inputs;
  inputs.tensors["x"] = Tensor::of<float>({1}, {x});
  if (ok) {
    Tensor &flag = inputs.tensors["ok"] = Tensor(ElementType::I1, {1});
    *reinterpret_cast<uint8_t *>(flag.data()) = *ok;
  }
  return inputs;
}

} // namespace gensyn::test

#endif
