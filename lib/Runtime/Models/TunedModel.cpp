// The schedules of a model's programs by their times on its device
// (--autotune), kept in the cache or in a file.

#include "../Compiler/ResponseCache.h"
#include "Autotune.h"
#include "gensyn/Executable/Support/CacheFolder.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Models/RandomInputs.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"
#include "gensyn/Runtime/Support/ThreadPool.h"

#include <fstream>
#include <iterator>

namespace gensyn::runtime {

namespace fs = std::filesystem;

namespace {

/// Where choices are kept: the file of --schedules, else an entry of the cache
/// for this device and this build of the compiler; nowhere without both.
class KeptSchedules {
public:
  KeptSchedules(const ModelOptions &options, const std::string &identity)
      : file(options.schedules),
        folder(options.schedules.empty() && !options.cache.empty()
                   ? (options.cache / "schedules").string()
                   : "",
               ".json", digestOf),
        key(digestOf({identity})) {}

  ScheduleFile load() const {
    std::error_code ignored;
    if (!file.empty() && !fs::exists(file, ignored))
      return {};
    if (!file.empty()) {
      // Unlike files that are only read, it may be replaced.
      std::ifstream stream(file, std::ios::binary);
      return parseSchedules(
          std::string(std::istreambuf_iterator<char>(stream), {}),
          file.string());
    }
    const std::optional<std::string> text = folder.load(key);
    return text ? parseSchedules(*text, "the cache of schedules")
                : ScheduleFile();
  }

  /// Adds choices to those that other processes may have kept by now.
  void add(const std::string &target, const KernelSchedules &chosen) {
    ScheduleFile all = load();
    for (const auto &[name, fields] : chosen)
      all[target][name] = fields;
    if (!file.empty())
      writeText(file, printSchedules(all));
    else
      folder.store(key, printSchedules(all));
  }

private:
  fs::path file;
  CacheFolder folder;
  std::string key;
};

} // namespace

/// "schedules of 5 of 12 kernels changed: 41.2 ms a run instead of 45.0 ms".
static std::string describe(const Tuning &tuning) {
  auto milliseconds = [](double seconds) {
    return shortText(seconds * 1e3, 4) + " ms";
  };
  return "schedules of " + std::to_string(tuning.changed) + " of " +
         std::to_string(tuning.timed) +
         " kernels changed: " + milliseconds(tuning.after) + " a run" +
         (tuning.changed ? " instead of " + milliseconds(tuning.before) : "");
}

std::string Model::describeDevice() const {
  return options.backend == "cuda"
             ? cudaDeviceName(options.device.value_or(0))
             : processorName() + ", " +
                   std::to_string(options.threads ? options.threads
                                                  : availableProcessors()) +
                   " threads";
}

void Model::tune(plan::CompileRequest &request) {
  const std::string target = request.target();
  KeptSchedules kept(options, describeDevice() + "\n" + target + "\n" +
                                  compiler->build());
  auto setSchedules = [&](plan::CompileRequest &asked, KernelSchedules all) {
    std::erase_if(all, [](const auto &entry) { return entry.second.empty(); });
    if (!all.empty())
      asked.set_schedules(printSchedules({{target, std::move(all)}}));
  };
  auto compile = [&](const KernelSchedules &schedules, bool lists) {
    plan::CompileRequest asked = request;
    asked.set_lists_schedules(lists);
    setSchedules(asked, schedules);
    return compiler->compile(asked);
  };
  const bool hasRecipe = !text.empty();
  const std::string labels = hasRecipe ? recipe().loss.target : "";
  const int64_t numClasses = hasRecipe ? classes() : 0;
  Tuner tuner(
      file(), compile,
      [&](KernelProfile *profile) { return makeDevice(profile); },
      [&](const Signature &signature) {
        return makeRandomInputs(signature, labels, numClasses);
      });
  const Tuning tuning = tuner.tune(kept.load()[target]);
  if (tuning.timed > 0) {
    kept.add(target, tuning.schedules);
    if (options.note)
      options.note(describe(tuning));
  }
  setSchedules(request, tuning.schedules);
}

} // namespace gensyn::runtime
