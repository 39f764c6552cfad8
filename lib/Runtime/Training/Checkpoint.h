// Folders with all the state that a run needs to resume.
#ifndef GENSYN_LIB_RUNTIME_CHECKPOINT_H
#define GENSYN_LIB_RUNTIME_CHECKPOINT_H

#include "SharedDigest.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Json.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// Contents of a checkpoint: `model` in parameters.safetensors, `optimizer` in
/// optimizer.safetensors, `state` in state.json. A fourth file, B3SUMS, has
/// their BLAKE3 digests in the format of `b3sum`.
struct Checkpoint {
  TensorMap model;
  TensorMap optimizer;
  OrderedJson state;
};

/// The same in files, of which each tensor is read when it is needed.
struct CheckpointFiles {
  SafeTensors model;
  SafeTensors optimizer;
  OrderedJson state;
};

/// Writes one file of tensors at a path; see AtomicFile. Returns the file's
/// digest, or an empty text if it is to be read again for that.
using TensorsWriter =
    std::function<std::string(const std::filesystem::path &file)>;

/// Writes the folder `place` atomically and durably, even if the process or the
/// machine stops: a temporary folder is written, each file and the folder are
/// flushed, then it is renamed and the parent folder is flushed. An existing
/// folder is replaced. Throws a Failure (I/O), and leaves nothing behind then.
void writeCheckpoint(const std::filesystem::path &place,
                     const Checkpoint &checkpoint);
/// The same with tensors that `model` and then `optimizer` write.
void writeCheckpoint(const std::filesystem::path &place,
                     const TensorsWriter &model, const TensorsWriter &optimizer,
                     const OrderedJson &state);

/// Opens a checkpoint. Throws a Failure that names the missing or altered file;
/// all digests are verified before anything is used.
using FileDigest = std::function<std::string(const std::filesystem::path &)>;
CheckpointFiles openCheckpoint(const std::filesystem::path &place,
                               const FileDigest &digest = digestFile);
/// The same of a checkpoint whose digests another rank has verified.
CheckpointFiles openVerified(const std::filesystem::path &place);
/// Reads it as a whole.
Checkpoint readCheckpoint(const std::filesystem::path &place);

/// Returns the checkpoints step-N in a folder, valid or not, with their N,
/// newest first. Empty if the folder does not exist.
std::vector<std::pair<int64_t, std::filesystem::path>>
listCheckpoints(const std::filesystem::path &folder);

/// Removes a checkpoint; if the process stops meanwhile, the rest is not taken
/// for a checkpoint. Throws a Failure (I/O) if that fails.
void removeCheckpoint(const std::filesystem::path &place);

/// Deletes half-written and half-removed checkpoints in a folder.
void removeLeftovers(const std::filesystem::path &folder);

} // namespace gensyn::runtime

#endif
