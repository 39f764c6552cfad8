// Files that appear whole or not at all.
#pragma once

#include "gensyn/Translation/Onnx/Import.h"

namespace gensyn {
/// A file under a temporary name beside its place, to which `commit` moves it.
/// One that is not committed is removed.
class WholeFile {
public:
  /// An error (usage) where the file is one that was read: takeFilesRead().
  WholeFile(llvm::StringRef path, ImportError &error);
  ~WholeFile();
  WholeFile(const WholeFile &) = delete;
  WholeFile &operator=(const WholeFile &) = delete;

  /// Failure, also of the constructor, with the error set.
  mlir::LogicalResult write(llvm::StringRef bytes);
  mlir::LogicalResult commit();

private:
  mlir::LogicalResult fail();

  std::string path, temporary;
  ImportError &error;
  int descriptor = -1;
};
} // namespace gensyn
