// The main program of gensyn-opt, which tests link with passes of their own.

#ifndef GENSYN_CHECKBITS_OPTMAIN_H
#define GENSYN_CHECKBITS_OPTMAIN_H

namespace gensyn::checkbits {

/// mlir-opt with all dialects and passes, and --check-bits. The caller
/// registers its own passes first. Returns the exit code.
int runOptMain(int argc, char **argv);

} // namespace gensyn::checkbits

#endif
