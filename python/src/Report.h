// The function gensyn._core.make_report.
#ifndef GENSYN_PYTHON_REPORT_H
#define GENSYN_PYTHON_REPORT_H

#include <nanobind/nanobind.h>

namespace gensyn::python {

/// Adds the function to the extension module.
void defineReport(nanobind::module_ &module);

} // namespace gensyn::python

#endif
