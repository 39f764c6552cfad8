// The class gensyn._core.Passes.

#include "Passes.h"

#include "gensyn/Executable/passes.pb.h"
#include "gensyn/Runtime/Compiler/Compiler.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace nb = nanobind;

namespace gensyn::python {

namespace {

/// A process of the compiler, which starts with the first call.
class Passes {
public:
  explicit Passes(const std::string &library)
      : compiler(runtime::Compiler::open(library)) {}

  nb::dict run(const nb::bytes &module, const std::string &name,
               const std::string &model,
               const std::map<std::string, int64_t> &dims,
               const std::string &pipeline, const nb::object &checkBits,
               const nb::object &print, int sm, const std::string &accuracy);

private:
  std::shared_ptr<runtime::Compiler> compiler;
};

/// Text of MLIR, whose strings may hold any bytes.
nb::object toText(const std::string &bytes) {
  return nb::steal(
      PyUnicode_DecodeUTF8(bytes.data(), Py_ssize_t(bytes.size()), "replace"));
}

} // namespace

nb::dict Passes::run(const nb::bytes &module, const std::string &name,
                     const std::string &model,
                     const std::map<std::string, int64_t> &dims,
                     const std::string &pipeline, const nb::object &checkBits,
                     const nb::object &print, int sm,
                     const std::string &accuracy) {
  plan::PassesRequest request;
  request.set_module(module.c_str(), module.size());
  request.set_name(name);
  request.set_model_path(model);
  for (const auto &[dimension, size] : dims)
    (*request.mutable_dims())[dimension] = size;
  request.set_pipeline(pipeline);
  if (!checkBits.is_none()) {
    plan::PassesRequest::CheckBits &wanted = *request.mutable_check_bits();
    wanted.set_everything(nb::cast<bool>(checkBits["everything"]));
    wanted.set_seed(nb::cast<uint64_t>(checkBits["seed"]));
    wanted.set_trials(nb::cast<uint32_t>(checkBits["trials"]));
    wanted.set_work(nb::cast<int64_t>(checkBits["work"]));
  }
  if (!print.is_none()) {
    plan::PassesRequest::Print &wanted = *request.mutable_print();
    wanted.set_debug_info(nb::cast<bool>(print["debug_info"]));
    wanted.set_generic(nb::cast<bool>(print["generic"]));
    wanted.set_large_elements_limit(
        nb::cast<int64_t>(print["large_elements_limit"]));
  }
  request.set_sm(sm);
  request.set_accuracy(accuracy);
  plan::PassesResponse response;
  {
    const nb::gil_scoped_release release;
    response = compiler->runPasses(request);
  }
  nb::dict result;
  result["module"] =
      nb::bytes(response.module().data(), response.module().size());
  result["digest"] = response.digest();
  result["text"] = toText(response.text());
  result["ptx"] = toText(response.ptx());
  nb::list warnings;
  for (const std::string &line : response.warnings())
    warnings.append(toText(line));
  result["warnings"] = warnings;
  result["compared"] = response.compared();
  result["finding"] = toText(response.finding());
  result["smallest"] = toText(response.smallest());
  return result;
}

void definePasses(nb::module_ &module) {
  nb::class_<Passes>(module, "Passes",
                     "The compiler's passes on modules; see gensyn.ir.")
      .def(nb::init<const std::string &>(), nb::arg("library"))
      .def("run", &Passes::run, nb::arg("module"), nb::arg("name"),
           nb::arg("model"), nb::arg("dims"), nb::arg("pipeline"),
           nb::arg("check_bits").none(), nb::arg("print").none(), nb::arg("sm"),
           nb::arg("accuracy"),
           nb::sig("def run(self, *, module: bytes, name: str, model: str, "
                   "dims: dict[str, int], pipeline: str, check_bits: "
                   "dict[str, typing.Any] | None, print: dict[str, typing.Any] "
                   "| None, sm: int, accuracy: str) -> dict[str, typing.Any]"),
           "The fields of PassesResponse by name; see "
           "lib/Executable/passes.proto.");
}

} // namespace gensyn::python
