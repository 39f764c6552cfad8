// The baselines of the cases. Libraries are opened at run time if present, so
// nothing of CUDA is needed to build or run the rest.

#include "CublasApi.h"
#include "GpuCase.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"

#include <dlfcn.h>

namespace gensyn::bench {

using namespace runtime;

namespace {

/// Inputs in memory of the GPU, and a result.
class Operands {
public:
  Operands(const std::shared_ptr<cuda::DeviceContext> &context,
           const std::vector<Tensor> &tensors, uint64_t resultBytes)
      : result(context, resultBytes) {
    for (const Tensor &tensor : tensors) {
      inputs.push_back(std::make_unique<cuda::OwnedMemory>(
          context, uint64_t(tensor.byteSize())));
      context->driver.check(context->driver.cuMemcpyHtoDAsync_v2(
                                inputs.back()->address, tensor.data(),
                                size_t(tensor.byteSize()), context->compute),
                            "copy operands");
    }
  }

  std::vector<std::unique_ptr<cuda::OwnedMemory>> inputs;
  cuda::OwnedMemory result;
};

/// A library that stays open.
class Library {
public:
  explicit Library(const std::vector<std::string> &names) {
    for (const std::string &name : names)
      if ((handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)))
        return;
    failUnsupported("no " + names.back());
  }
  template <class Pointer> Pointer find(const char *name) const {
    void *symbol = ::dlsym(handle, name);
    if (!symbol)
      failUnsupported(std::string("the library has no ") + name);
    return reinterpret_cast<Pointer>(symbol);
  }

private:
  void *handle = nullptr;
};

/// Copies as many bytes as the program reads and writes, with the driver's
/// copy.
class Copy final : public Baseline {
public:
  Copy(const std::shared_ptr<cuda::DeviceContext> &context, uint64_t bytes)
      : context(context), bytes(bytes / 2), from(context, bytes / 2),
        to(context, bytes / 2) {
    context->driver.check(context->driver.cuMemsetD8Async(
                              from.address, 60, this->bytes, context->compute),
                          "fill memory");
  }
  void enqueue() override {
    context->driver.check(
        context->driver.cuMemcpyDtoDAsync_v2(to.address, from.address, bytes,
                                             context->compute),
        "copy");
  }

private:
  std::shared_ptr<cuda::DeviceContext> context;
  uint64_t bytes;
  cuda::OwnedMemory from, to;
};

/// cublasSgemm without TF32: in its default mode, as PyTorch calls it.
class Sgemm final : public Baseline {
public:
  Sgemm(const std::shared_ptr<cuda::DeviceContext> &context,
        const nlohmann::json &facts, const std::vector<Tensor> &inputs)
      : library({"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                 "libcublas.so"}),
        m(facts.at("m")), k(facts.at("k")), n(facts.at("n")),
        operands(context, inputs, uint64_t(m) * uint64_t(n) * 4) {
    // These would allow TF32, and sums of products of bf16, if they were 1.
    ::setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
    ::setenv("CUBLAS_EMULATE_SINGLE_PRECISION", "0", 1);
#define GENSYN_CUBLAS_FIND(name, parameters)                                   \
  name = library.find<cublas::Status(*) parameters>(#name);
    GENSYN_CUBLAS_FUNCTIONS(GENSYN_CUBLAS_FIND)
#undef GENSYN_CUBLAS_FIND
    check(cublasCreate_v2(&handle), "does not start");
    check(cublasSetStream_v2(handle, context->compute), "takes no stream");
  }
  ~Sgemm() override { cublasDestroy_v2(handle); }
  void enqueue() override {
    // Column-major: the product of the transposed matrices in reverse order.
    const float one = 1, zero = 0;
    auto matrix = [](cuda::Address address) {
      return reinterpret_cast<float *>(address);
    };
    check(cublasSgemm_v2(handle, cublas::AsItIs, cublas::AsItIs, n, m, k, &one,
                         matrix(operands.inputs[1]->address), n,
                         matrix(operands.inputs[0]->address), k, &zero,
                         matrix(operands.result.address), n),
          "computes nothing");
  }
  cuda::Address result() const override { return operands.result.address; }

private:
  using Handle = cublas::Handle;
  using Operation = cublas::Operation;
  using Stream = cublas::Stream;
  static void check(cublas::Status status, const char *problem) {
    if (status != cublas::Success)
      failUnsupported(std::string("cuBLAS ") + problem + ": status " +
                      std::to_string(status));
  }

  Library library;
#define GENSYN_CUBLAS_MEMBER(name, parameters)                                 \
  cublas::Status(*name) parameters = nullptr;
  GENSYN_CUBLAS_FUNCTIONS(GENSYN_CUBLAS_MEMBER)
#undef GENSYN_CUBLAS_MEMBER
  int m, k, n;
  Operands operands;
  Handle handle = nullptr;
};

/// A loop of CUDA on the same array, compiled by nvcc (GpuLibdevice.cu).
class Libdevice final : public Baseline {
public:
  Libdevice(const std::shared_ptr<cuda::DeviceContext> &owner,
            const nlohmann::json &facts, const std::filesystem::path &folder,
            const std::vector<Tensor> &inputs)
      : context(owner),
        operands(owner, inputs, uint64_t(inputs.at(0).byteSize())),
        count(uint64_t(inputs.at(0).numElements())) {
    const cuda::Driver &driver = context->driver;
    std::filesystem::path path = folder / "libdevice.ptx";
    if (!std::filesystem::exists(path))
      failUnsupported("no nvcc when the programs were made");
    std::string text = readText(path);
    driver.check(
        driver.cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr),
        "load libdevice.ptx");
    const std::string name = facts.at("function").get<std::string>() + "_loop";
    driver.check(driver.cuModuleGetFunction(&function, module, name.c_str()),
                 "find " + name);
  }
  ~Libdevice() override { context->driver.cuModuleUnload(module); }
  void enqueue() override {
    cuda::Address arguments[] = {operands.inputs[0]->address,
                                 operands.result.address, count};
    size_t bytes = sizeof(arguments);
    void *extra[] = {cuda::kLaunchBuffer, arguments, cuda::kLaunchBufferBytes,
                     &bytes, cuda::kLaunchEnd};
    // Four elements a thread.
    const unsigned blocks = unsigned((count + 1023) / 1024);
    context->driver.check(
        context->driver.cuLaunchKernel(function, blocks, 1, 1, 256, 1, 1, 0,
                                       context->compute, nullptr, extra),
        "launch a loop");
  }
  cuda::Address result() const override { return operands.result.address; }

private:
  static std::string readText(const std::filesystem::path &path) {
    MappedFile file(path);
    return {reinterpret_cast<const char *>(file.data()), file.size()};
  }

  std::shared_ptr<cuda::DeviceContext> context;
  Operands operands;
  uint64_t count;
  cuda::Module module = nullptr;
  cuda::Function function = nullptr;
};

/// Sums by CUB (GpuCub.cu).
class Cub final : public Baseline {
public:
  Cub(const std::shared_ptr<cuda::DeviceContext> &owner,
      const nlohmann::json &facts, const std::filesystem::path &folder,
      const std::vector<Tensor> &inputs)
      : context(owner), rows(facts.at("rows")), columns(facts.at("columns")),
        operands(owner, inputs, uint64_t(rows) * 4),
        library({(folder / "libgensyn-bench-cub.so").string()}),
        sum(library.find<Sum>("gensyn_bench_cub_sum")) {
    size_t bytes = 0;
    check(sum(operands.inputs[0]->address, operands.result.address, rows,
              columns, 0, &bytes, context->compute));
    scratch = std::make_unique<cuda::OwnedMemory>(context, bytes);
    scratchBytes = bytes;
  }
  void enqueue() override {
    check(sum(operands.inputs[0]->address, operands.result.address, rows,
              columns, scratch->address, &scratchBytes, context->compute));
  }
  cuda::Address result() const override { return operands.result.address; }

private:
  using Sum = int (*)(cuda::Address, cuda::Address, int64_t, int64_t,
                      cuda::Address, size_t *, cuda::Stream);
  static void check(int error) {
    if (error)
      failUnsupported("CUB does not run: error " + std::to_string(error) +
                      " of the CUDA runtime");
  }

  std::shared_ptr<cuda::DeviceContext> context;
  int64_t rows, columns;
  Operands operands;
  Library library;
  Sum sum;
  std::unique_ptr<cuda::OwnedMemory> scratch;
  size_t scratchBytes = 0;
};

} // namespace

std::unique_ptr<Baseline>
makeBaseline(const std::shared_ptr<cuda::DeviceContext> &context,
             const nlohmann::json &facts, const std::filesystem::path &folder,
             const std::vector<Tensor> &inputs, uint64_t bytes) {
  const std::string against = facts.at("against");
  if (against == "copy")
    return std::make_unique<Copy>(context, bytes);
  if (against == "sgemm")
    return std::make_unique<Sgemm>(context, facts, inputs);
  if (against == "libdevice")
    return std::make_unique<Libdevice>(context, facts, folder, inputs);
  if (against == "cub")
    return std::make_unique<Cub>(context, facts, folder, inputs);
  failUnsupported("nothing to compare with is called " + against);
}

} // namespace gensyn::bench
