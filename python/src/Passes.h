// The class gensyn._core.Passes.
#ifndef GENSYN_PYTHON_PASSES_H
#define GENSYN_PYTHON_PASSES_H

#include <nanobind/nanobind.h>

namespace gensyn::python {

/// Adds the class to the extension module.
void definePasses(nanobind::module_ &module);

} // namespace gensyn::python

#endif
