// Files of compiled models: .gxe. docs/Executable.md has the format.
#ifndef GENSYN_EXECUTABLE_PACKAGES_PACKAGE_H
#define GENSYN_EXECUTABLE_PACKAGES_PACKAGE_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Executable/ProgramKind.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gensyn {

/// True if the file begins like a package, whatever its name is. Throws a
/// Failure (I/O) if it cannot be read.
bool isPackage(const std::filesystem::path &path);

/// A package that was read and validated.
class Package {
public:
  /// Reads a file and checks header, hash, message and the plan of each
  /// program; code is checked when it is loaded. Throws a Failure: I/O,
  /// unsupported for another format version, out of resources for sizes that no
  /// machine has, bad input for everything else.
  explicit Package(const std::filesystem::path &path);

  const plan::Package &message() const { return *contents; }

  /// Returns the distinct targets of the programs: "cpu:x86-64-v3", ...
  std::vector<std::string> targets() const;

  /// Returns the best target in this package for a device that runs code for
  /// any of `wanted` (best first); the first of `wanted` if the package has
  /// none of them.
  std::string chooseTarget(const std::vector<std::string> &wanted) const;

  /// Returns the program of that kind and target for a batch of `batchSize`
  /// samples. For 0, or any size if the model fixes the batch, it is the only
  /// one. Throws a Failure (unsupported) that lists the existing ones
  /// otherwise.
  std::shared_ptr<const plan::Executable>
  find(ProgramKind kind, const std::string &target, int64_t batchSize) const;

  /// Returns "infer (batch 1, 8), train (batch 32) for cpu:x86-64-v3; ..."
  std::string describePrograms() const;

private:
  void resolveFiles(uint64_t dataBegin, uint64_t dataBytes);
  void checkPrograms();

  std::filesystem::path place;
  /// Shared with the programs that find() returned.
  std::shared_ptr<plan::Package> contents;
};

/// Storage of the initial values of parameters.
enum class ParameterPlace {
  /// In the package itself.
  Embedded,
  /// In a safetensors file next to it, with the hash of every tensor.
  Referenced,
};

/// Moves the initial values of the programs' inputs to their new place;
/// `message.programs` come from the compiler. Writes the package to `path`;
/// with ParameterPlace::Referenced it first writes the tensors to the same path
/// with the extension ".safetensors". Each file is written atomically. Returns
/// the size of the package in bytes. Throws a Failure: I/O, or bad input if a
/// file of the model changed meanwhile.
uint64_t writePackage(const std::filesystem::path &path,
                      const plan::Package &message, ParameterPlace parameters);

} // namespace gensyn

#endif
