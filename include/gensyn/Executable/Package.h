// Compiled models in a file: .gxe. docs/Executable.md has the format.
#ifndef GENSYN_EXECUTABLE_PACKAGE_H
#define GENSYN_EXECUTABLE_PACKAGE_H

#include "gensyn/Executable/plan.pb.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gensyn {

/// True if the file begins as a package does; what it is called says nothing.
/// Throws a Failure (I/O) where it cannot be read.
bool isPackage(const std::filesystem::path &path);

/// A package that was read and found whole.
class Package {
public:
  /// Reads a file and checks header, hash, message and the plan of each
  /// program; code is checked when it is loaded. Throws a Failure: I/O,
  /// unsupported for another format version, out of resources for sizes that no
  /// machine has, bad input for everything else.
  explicit Package(const std::filesystem::path &path);

  const plan::Package &message() const { return *contents; }

  /// The targets of the programs, each once: "cpu:x86-64-v3", ...
  std::vector<std::string> targets() const;

  /// The best code of this package, for a device that runs code of any of
  /// `wanted` (the best first); the first of them where it has none.
  std::string chooseTarget(const std::vector<std::string> &wanted) const;

  /// The program of that kind and target for a batch of `batchSize` samples.
  /// 0, or any size where the model fixes the batch, means the only one there
  /// is. Throws a Failure (unsupported) that lists what there is otherwise.
  std::shared_ptr<const plan::Executable> find(const std::string &kind,
                                               const std::string &target,
                                               int64_t batchSize) const;

  /// "infer (batch 1, 8), train (batch 32) for cpu:x86-64-v3; ..."
  std::string describePrograms() const;

private:
  void resolveFiles(uint64_t dataBegin, uint64_t dataBytes);
  void checkPrograms();

  std::filesystem::path place;
  /// Shared with the programs that were found in it.
  std::shared_ptr<plan::Package> contents;
};

/// The place of the values that parameters start with.
enum class ParameterPlace {
  /// In the package itself.
  Embedded,
  /// In a safetensors file beside it, with the hash of every tensor.
  Referenced,
};

/// Moves the values that the programs' inputs start with to their new place;
/// `message.programs` are as the compiler made them. Writes the package to
/// `path`, and with ParameterPlace::Referenced the tensors to the same path
/// with the extension
/// ".safetensors", first. Each file appears whole or not at all. Returns the
/// bytes of the package. Throws a Failure: I/O, or bad input where a file of
/// the model changed meanwhile.
uint64_t writePackage(const std::filesystem::path &path,
                      const plan::Package &message, ParameterPlace parameters);

} // namespace gensyn

#endif
