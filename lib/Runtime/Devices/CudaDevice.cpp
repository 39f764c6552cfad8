// GPUs through NVIDIA's driver.

#include "CudaProgram.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Gpu.h"
#include "gensyn/Runtime/Devices/Devices.h"

namespace gensyn::runtime {

namespace {

class CudaDevice final : public Device {
public:
  CudaDevice(int number, const std::string &architecture,
             KernelProfile *profile)
      : architecture(architecture),
        context(std::make_shared<cuda::DeviceContext>(number, profile)) {}

  std::string target() const override { return "ptx:" + architecture; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable) override {
    return std::make_unique<cuda::CudaProgram>(std::move(executable), context);
  }

private:
  std::string architecture;
  std::shared_ptr<cuda::DeviceContext> context;
};

} // namespace

std::vector<std::string> cudaArchitectures(int number) {
  return machine::listRunnableGpus(cuda::describeDevice(number).capability);
}

std::unique_ptr<Device> makeCudaDevice(int number,
                                       const std::string &architecture,
                                       KernelProfile *profile) {
  return std::make_unique<CudaDevice>(number, architecture, profile);
}

} // namespace gensyn::runtime
