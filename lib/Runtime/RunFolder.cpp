// Files of a training run. Each appears whole; the log grows by whole lines.

#include "RunFolder.h"

#include "gensyn/Runtime/Error.h"
#include "gensyn/Runtime/Files.h"
#include "gensyn/Runtime/SafeTensors.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace gensyn::runtime {

namespace fs = std::filesystem;

[[noreturn]] static void failFile(const fs::path &path,
                                  const std::string &reason) {
  failInputOutput(path.string() + ": cannot be written: " + reason);
}

RunFolder::RunFolder(const fs::path &path, bool overwrite) : folder(path) {
  std::error_code ignored;
  madeFolder = !fs::exists(folder, ignored);
  requireWritableFolder(folder);
  if (!overwrite && fs::exists(folder / "log.jsonl", ignored))
    failInputOutput(folder.string() + ": holds an earlier run (log.jsonl)",
                    "give another folder, or --overwrite to replace the run");
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (logFile >= 0)
    ::close(logFile);
  else if (madeFolder)
    fs::remove(folder, ignored);
}

void RunFolder::start() {
  requireWritableFolder(folder / "checkpoints");
  std::error_code error;
  for (const char *name :
       {"log.jsonl", "parameters.safetensors", "program.json", "curve.svg"})
    fs::remove(folder / name, error);
  std::vector<fs::path> old;
  for (const auto &item : fs::directory_iterator(folder / "checkpoints", error))
    if (item.path().filename().string().find("step-") != std::string::npos)
      old.push_back(item.path());
  for (const fs::path &path : old)
    fs::remove_all(path, error);

  fs::path path = folder / "log.jsonl";
  logFile = ::open(path.c_str(),
                   O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (logFile < 0)
    failFile(path, std::strerror(errno));
}

void RunFolder::log(const OrderedJson &row) {
  // One call, so that a reader never sees half a line.
  std::string line = printJson(row) + "\n";
  ssize_t written;
  do {
    written = ::write(logFile, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written != ssize_t(line.size()))
    failFile(folder / "log.jsonl",
             written < 0 ? std::strerror(errno) : "the disk is full");
}

void RunFolder::writeJson(const char *name, const OrderedJson &value) {
  writeText(folder / name,
            value.dump(2, ' ', false, OrderedJson::error_handler_t::replace) +
                "\n");
}

void RunFolder::writeCurve(const std::string &svg) {
  writeText(folder / "curve.svg", svg);
}

void RunFolder::writeParameters(const ParameterStore &store) {
  writeSafeTensors(folder / "parameters.safetensors", store.model());
}

void RunFolder::writeCheckpoint(int64_t step, const ParameterStore &store,
                                const OrderedJson &state) {
  std::string name = "step-" + std::to_string(step);
  fs::path place = folder / "checkpoints" / name;
  fs::path partial = folder / "checkpoints" / ("." + name + ".partial");
  std::error_code error;
  fs::remove_all(partial, error);
  fs::create_directory(partial, error);
  if (error)
    failFile(partial, error.message());
  try {
    writeSafeTensors(partial / "parameters.safetensors", store.model());
    writeSafeTensors(partial / "optimizer.safetensors", store.optimizer());
    writeText(partial / "state.json", state.dump(2) + "\n");
  } catch (...) {
    fs::remove_all(partial, error);
    throw;
  }
  fs::remove_all(place, error);
  fs::rename(partial, place, error);
  if (error)
    failFile(place, error.message());
  checkpoints.push_back(place);
  while (checkpoints.size() > 2) {
    fs::remove_all(checkpoints.front(), error);
    checkpoints.pop_front();
  }
}

} // namespace gensyn::runtime
