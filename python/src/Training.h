// The class gensyn._core.Training.
#ifndef GENSYN_PYTHON_TRAINING_H
#define GENSYN_PYTHON_TRAINING_H

#include <nanobind/nanobind.h>

namespace gensyn::python {

/// Adds the classes Data and Training to the extension module.
void defineTraining(nanobind::module_ &module);

} // namespace gensyn::python

#endif
