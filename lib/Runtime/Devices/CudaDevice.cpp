// GPUs through NVIDIA's driver.

#include "CudaProgram.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Gpu.h"
#include "gensyn/Runtime/Devices/DeviceExchange.h"
#include "gensyn/Runtime/Devices/Devices.h"

namespace gensyn::runtime {

namespace {

class CudaExchange final : public DeviceExchange {
public:
  explicit CudaExchange(std::shared_ptr<cuda::DeviceContext> context)
      : context(std::move(context)) {}

  int number() const override { return context->device; }
  uint64_t stream() const override {
    return reinterpret_cast<uint64_t>(context->arrivals);
  }
  std::unique_ptr<DeviceMemory> borrow(uint64_t address, uint64_t bytes,
                                       const std::string &what) override;

private:
  std::shared_ptr<cuda::DeviceContext> context;
};

class CudaDevice final : public Device {
public:
  CudaDevice(int number, const std::string &architecture, CudaOptions options)
      : architecture(architecture),
        context(
            std::make_shared<cuda::DeviceContext>(number, std::move(options))),
        sharing(context) {}

  std::string target() const override { return "ptx:" + architecture; }

  std::unique_ptr<Program>
  load(std::shared_ptr<const plan::Executable> executable,
       std::shared_ptr<WorkMemory>) override {
    return std::make_unique<cuda::CudaProgram>(std::move(executable), context);
  }

  DeviceExchange *exchange() override { return &sharing; }

private:
  std::string architecture;
  std::shared_ptr<cuda::DeviceContext> context;
  CudaExchange sharing;
};

} // namespace

std::unique_ptr<DeviceMemory> CudaExchange::borrow(uint64_t address,
                                                   uint64_t bytes,
                                                   const std::string &what) {
  const cuda::Driver &driver = context->driver;
  if (bytes != 0) {
    const cuda::CurrentContext current = context->enter();
    // A pointer to freed memory would be a fault that ends the context, for
    // all its users.
    for (const uint64_t each : {address, address + bytes - 1}) {
      unsigned type = 0;
      int number = -1;
      if (each < address ||
          driver.cuPointerGetAttribute(&type, cuda::PointerMemoryType, each) ||
          driver.cuPointerGetAttribute(&number, cuda::PointerDevice, each) ||
          type != cuda::MemoryOfDevice)
        failBadInput(what + " is not in the memory of a GPU",
                     "it may have been freed");
      if (number != context->device)
        failUnsupported(what + " is in the memory of GPU " +
                            std::to_string(number) + "; the program runs on " +
                            context->label,
                        "copy it there first");
    }
  }
  return std::make_unique<cuda::BorrowedMemory>(context, address, bytes);
}

std::vector<std::string> cudaArchitectures(int number) {
  return machine::listRunnableGpus(cuda::describeDevice(number).capability);
}

std::string cudaDeviceName(int number) {
  return cuda::describeDevice(number).name;
}

int countCudaDevices() { return cuda::countDevices(); }

std::unique_ptr<Device> makeCudaDevice(int number,
                                       const std::string &architecture,
                                       CudaOptions options) {
  return std::make_unique<CudaDevice>(number, architecture, std::move(options));
}

} // namespace gensyn::runtime
