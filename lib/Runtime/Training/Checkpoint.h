// Folders that hold all a run needs to go on.
#ifndef GENSYN_LIB_RUNTIME_CHECKPOINT_H
#define GENSYN_LIB_RUNTIME_CHECKPOINT_H

#include "gensyn/Executable/Json.h"
#include "gensyn/Executable/SafeTensors.h"

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// What a checkpoint holds: `model` in parameters.safetensors, `optimizer` in
/// optimizer.safetensors, `state` in state.json. A fourth file, B3SUMS, has the
/// BLAKE3 digest of each of them, as `b3sum` writes it.
struct Checkpoint {
  TensorMap model;
  TensorMap optimizer;
  OrderedJson state;
};

/// Writes the folder `place` so that it is there whole or not at all, whenever
/// the process or the machine stops: beside its place, each file and the folder
/// flushed, then moved, then the folder around it flushed. One that is there is
/// replaced. Throws a Failure (I/O), and leaves nothing then.
void writeCheckpoint(const std::filesystem::path &place,
                     const Checkpoint &checkpoint);

/// Reads a checkpoint. Throws a Failure that says which file is missing or
/// altered; every bit of every file is looked at before anything is used.
Checkpoint readCheckpoint(const std::filesystem::path &place);

/// The checkpoints step-N in a folder, whole or not, with their N; the newest
/// first. None where there is no such folder.
std::vector<std::pair<int64_t, std::filesystem::path>>
listCheckpoints(const std::filesystem::path &folder);

/// Removes a checkpoint; what is left of it when the process stops meanwhile is
/// not taken for one. Throws a Failure (I/O) where it stays.
void removeCheckpoint(const std::filesystem::path &place);

/// Removes what was left half-written or half-removed in a folder of
/// checkpoints.
void removeLeftovers(const std::filesystem::path &folder);

} // namespace gensyn::runtime

#endif
