// The function gensyn._core.make_report.

#include "Report.h"

#include "gensyn/Runtime/Report/MakeReport.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

namespace nb = nanobind;

namespace gensyn::python {

static nb::tuple
makeReport(const std::string &model, const std::string &library,
           const std::string &recipe, const std::string &recipeName,
           const std::string &target, const std::vector<std::string> &runs,
           const std::map<std::string, int64_t> &dims, uint64_t memoryBudget,
           bool profile, const std::string &cache) {
  runtime::ReportRequest request;
  request.model.model = model;
  request.model.compilerNeighbour = library;
  request.model.recipeText = recipe;
  if (!recipe.empty())
    request.model.recipe = recipeName;
  request.model.dims = dims;
  request.model.memoryBudget = memoryBudget;
  request.model.profile = profile;
  request.model.cache = cache;
  request.model.orders = true;
  request.model.bodies = true;
  request.runs.assign(runs.begin(), runs.end());
  runtime::Report report;
  {
    const nb::gil_scoped_release release;
    request.model.kernelTarget = runtime::compilerTarget(target);
    report = runtime::makeReport(request, nullptr);
  }
  return nb::make_tuple(std::move(report.page), std::move(report.trace));
}

void defineReport(nb::module_ &module) {
  module.def(
      "make_report", &makeReport, nb::arg("model"), nb::arg("library"),
      nb::arg("recipe"), nb::arg("recipe_name"), nb::arg("target"),
      nb::arg("runs"), nb::arg("dims"), nb::arg("memory_budget"),
      nb::arg("profile"), nb::arg("cache"),
      nb::sig("def make_report(*, model: str, library: str, recipe: str, "
              "recipe_name: str, target: str, runs: list[str], "
              "dims: dict[str, int], memory_budget: int, profile: bool, "
              "cache: str) -> tuple[str, str]"),
      "The page and the trace; see gensyn.report.");
}

} // namespace gensyn::python
