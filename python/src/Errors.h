// Failures as Python exceptions.
#ifndef GENSYN_PYTHON_ERRORS_H
#define GENSYN_PYTHON_ERRORS_H

namespace gensyn::python {

/// Lets a Failure reach Python as the class of gensyn._errors for its exit
/// code, and an error of the file system as that of I/O.
void registerErrors();

} // namespace gensyn::python

#endif
