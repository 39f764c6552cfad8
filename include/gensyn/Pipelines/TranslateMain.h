// The main of gensyn-translate.

#ifndef GENSYN_PIPELINES_TRANSLATEMAIN_H
#define GENSYN_PIPELINES_TRANSLATEMAIN_H

namespace gensyn {

/// Runs the translation that the command line names, as mlir-translate does,
/// with three differences: the output file is written atomically, no input file
/// is overwritten, and messages contain no control characters of the text that
/// they quote. Returns the exit code: 0, or that of the error.
int runTranslateMain(int argc, char **argv);

} // namespace gensyn

#endif
