// Writes a launch plan as a C header, for external launchers.

#ifndef GENSYN_LIB_PIPELINES_PLANHEADER_H
#define GENSYN_LIB_PIPELINES_PLANHEADER_H

#include "gensyn/Executable/plan.pb.h"

#include <optional>
#include <string>

namespace gensyn {

/// The limit on bytes of constants in the header.
inline constexpr uint64_t kMostConstantBytes = uint64_t(1) << 20;

/// A header in C99 (and C++) with the tables of a program that is launched in
/// order, without control flow: tensors, buffers, launches, faults. Names in it
/// begin with `prefix`, a C identifier, so that several headers can be
/// combined; docs/Executable.md describes them. Constants of more than
/// kMostConstantBytes together go to `constants`, 64-byte aligned each, for a
/// file beside the header; it stays empty otherwise. Nothing, with the reason
/// in `why`, if tables cannot hold the program.
std::optional<std::string> printHeader(const plan::Executable &executable,
                                       const std::string &prefix,
                                       std::string &constants,
                                       std::string &why);

/// Derives a C identifier from the name of a file: "lenet_train" from
/// "out/lenet-train.h".
std::string identifierOf(const std::string &path);

} // namespace gensyn

#endif
