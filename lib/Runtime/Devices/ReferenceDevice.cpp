// Runs frozen programs on the compiler's interpreter.

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Runtime/Compiler/Compiler.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

#include <cstring>

namespace gensyn::runtime {

namespace {

class ReferenceProgram final : public Program {
public:
  ReferenceProgram(std::shared_ptr<const plan::Executable> executable,
                   std::shared_ptr<Compiler> compiler, bool isPackaged)
      : Program(std::move(executable)), compiler(std::move(compiler)),
        isPackaged(isPackaged) {}

  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override;

private:
  plan::RunResponse interpret(const plan::RunRequest &request) const;
  /// An invalid module of a package is bad input; an invalid module that this
  /// compiler produced is a bug.
  ExitCode blame() const {
    return isPackaged ? ExitCode::BadInput : ExitCode::Bug;
  }

  std::shared_ptr<Compiler> compiler;
  bool isPackaged;
};

class ReferenceDevice final : public Device {
public:
  ReferenceDevice(std::shared_ptr<Compiler> compiler, bool isPackaged)
      : compiler(std::move(compiler)), isPackaged(isPackaged) {}

  std::string target() const override { return "reference"; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable,
       std::shared_ptr<WorkMemory>) override {
    if (executable->frozen_module().empty())
      failUnsupported("the program has no frozen module to interpret");
    requireMemory(executable->plan());
    auto program =
        std::make_unique<ReferenceProgram>(executable, compiler, isPackaged);
    if (isPackaged) {
      plan::LoadRequest request;
      request.set_frozen_module(executable->frozen_module());
      request.set_program_digest(executable->program_digest());
      *request.mutable_plan() = executable->plan();
      compiler->loadReference(request);
    }
    return program;
  }

private:
  std::shared_ptr<Compiler> compiler;
  bool isPackaged;
};

} // namespace

plan::RunResponse
ReferenceProgram::interpret(const plan::RunRequest &request) const {
  try {
    return compiler->runReference(request);
  } catch (const Failure &failure) {
    if (failure.code != ExitCode::BadInput)
      throw;
    throw Failure(blame(), failure.what(), failure.note);
  }
}

void ReferenceProgram::run(std::span<const Tensor *const> inputs,
                           std::span<Tensor> outputs) {
  FloatEnvironment environment;
  plan::RunRequest request;
  request.set_frozen_module(executable().frozen_module());
  request.set_program_digest(executable().program_digest());
  for (size_t i = 0; i < inputs.size(); ++i) {
    plan::TensorValue *value = request.add_inputs();
    value->set_name(signature().inputs[i].name);
    value->set_element_type(std::string(name(inputs[i]->elementType())));
    value->mutable_shape()->Add(inputs[i]->shape().begin(),
                                inputs[i]->shape().end());
    value->set_data(inputs[i]->data(),
                    static_cast<size_t>(inputs[i]->byteSize()));
  }
  plan::RunResponse response = interpret(request);
  const plan::Plan &plan = executable().plan();
  if (response.faults_size() > plan.faults_size())
    throw Failure(blame(), "the frozen module has faults of " +
                               std::to_string(response.faults_size()) +
                               " ops, expected " +
                               std::to_string(plan.faults_size()));
  reportFaults(plan, {response.faults().data(),
                      static_cast<size_t>(response.faults_size())});
  if (size_t(response.outputs_size()) != outputs.size())
    throw Failure(blame(), "the frozen module gives " +
                               std::to_string(response.outputs_size()) +
                               " outputs, expected " +
                               std::to_string(outputs.size()));
  for (size_t j = 0; j < outputs.size(); ++j) {
    const std::string &bytes = response.outputs(int(j)).data();
    if (bytes.size() != size_t(outputs[j].byteSize()))
      throw Failure(blame(),
                    "the frozen module gives " + std::to_string(bytes.size()) +
                        " bytes for " + quote(signature().outputs[j].name) +
                        ", expected " + std::to_string(outputs[j].byteSize()));
    if (!bytes.empty())
      std::memcpy(outputs[j].data(), bytes.data(), bytes.size());
  }
}

std::unique_ptr<Device> makeReferenceDevice(std::shared_ptr<Compiler> compiler,
                                            bool isPackaged) {
  return std::make_unique<ReferenceDevice>(std::move(compiler), isPackaged);
}

} // namespace gensyn::runtime
