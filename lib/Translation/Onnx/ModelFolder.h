// Access to the files that a model may read.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_MODELFOLDER_H
#define GENSYN_LIB_TRANSLATION_ONNX_MODELFOLDER_H

#include "gensyn/Translation/Onnx/Import.h"

#include <set>

namespace gensyn {
/// Opens files beneath the folder of a model and nothing else. Every byte of
/// external data comes through `open`, which follows no symbolic link and
/// accepts no path that leaves the folder.
class ModelFolder {
public:
  explicit ModelFolder(std::string folder) : folder(std::move(folder)) {}
  ~ModelFolder();
  ModelFolder(const ModelFolder &) = delete;
  ModelFolder &operator=(const ModelFolder &) = delete;

  /// Returns the BLAKE3, in hexadecimal digits, of `length` bytes from `offset`
  /// of `file`.
  mlir::FailureOr<std::string> hash(llvm::StringRef file, uint64_t offset,
                                    uint64_t length, ImportError &error);
  /// Returns the bytes themselves.
  mlir::FailureOr<std::string> read(llvm::StringRef file, uint64_t offset,
                                    uint64_t length, ImportError &error);
  /// True if `file` is a name beneath the folder that leads to nothing.
  bool isAbsent(llvm::StringRef file);
  /// The size of a file in bytes.
  mlir::FailureOr<uint64_t> size(llvm::StringRef file, ImportError &error);

private:
  struct File {
    int descriptor = -1;
    uint64_t size = 0;
  };
  const File *open(llvm::StringRef file, ImportError &error);
  /// Calls `take` with pieces of the range, after checking it against the file.
  mlir::LogicalResult stream(llvm::StringRef file, uint64_t offset,
                             uint64_t length,
                             llvm::function_ref<void(llvm::StringRef)> take,
                             ImportError &error);

  std::string folder;
  std::map<std::string, File> files;
  std::set<std::string> absent;
};

/// The folder part of a path; "." if it has none.
std::string folderOf(llvm::StringRef path);
/// The BLAKE3 of bytes in hexadecimal digits.
std::string blake3(llvm::StringRef bytes);
} // namespace gensyn

#endif
