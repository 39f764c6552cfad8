// Files that are written atomically.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_OUTPUTFILE_H
#define GENSYN_LIB_TRANSLATION_ONNX_OUTPUTFILE_H

#include "gensyn/Translation/Onnx/Import.h"

namespace gensyn {
/// A file under a temporary name beside its destination, which `commit`
/// renames. A file that is not committed is removed.
class OutputFile {
public:
  /// An error (usage) if the file is one that was read: takeFilesRead().
  OutputFile(llvm::StringRef path, ImportError &error);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Fails, as the constructor may, with the error set.
  mlir::LogicalResult write(llvm::StringRef bytes);
  mlir::LogicalResult commit();

private:
  mlir::LogicalResult fail();

  std::string path, temporary;
  ImportError &error;
  int descriptor = -1;
};
} // namespace gensyn

#endif
