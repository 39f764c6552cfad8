// The main of gensyn-translate.

#ifndef GENSYN_PIPELINES_TRANSLATEMAIN_H
#define GENSYN_PIPELINES_TRANSLATEMAIN_H

namespace gensyn {

/// Runs the translation that the command line names, as mlir-translate does,
/// but for three things: the output file appears whole or not at all, no file
/// is written over that is read, and messages keep no control characters of
/// what they quote. Returns the exit code: 0, or that of the error.
int runTranslateMain(int argc, char **argv);

} // namespace gensyn

#endif
