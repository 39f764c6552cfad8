// Fuzzes entries of the kernel cache: an entry is refused, or is an object that
// links. It is not run.

#include "Driver.h"

#include "KernelCache.h"
#include "ObjectCheck.h"
#include "gensyn/Codegen/Cpu/Lower.h"

#include "llvm/Support/FileSystem.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace gensyn;
using namespace gensyn::fuzz;

namespace {

constexpr size_t headerBytes = 16 + 64;

class CacheTarget final : public Target {
public:
  explicit CacheTarget(const std::vector<std::string> &corpus) {
    for (const std::string &path : corpus) {
      std::ifstream file(path, std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), {}};
      if (text.size() > headerBytes)
        objects.push_back(text.substr(headerBytes));
    }
  }
  ~CacheTarget() override { llvm::sys::fs::remove_directories(folder); }

  std::string name() const override { return "cache"; }
  std::string mutate(Random &random) override;
  std::string run(const std::string &input) override;

private:
  std::vector<std::string> objects;
  llvm::SmallString<128> folder;
};

/// The digest is correct in seven of eight mutants, as their first byte says.
std::string CacheTarget::mutate(Random &random) {
  std::string object = objects[random.below(objects.size())];
  for (uint64_t i = random.below(4); i > 0 && !object.empty(); --i) {
    // The header, the table of sections at the end, or anywhere.
    size_t place = random.below(3);
    place = place == 0   ? random.below(64)
            : place == 1 ? object.size() - random.below(1024) - 1
                         : random.below(object.size());
    place %= object.size();
    if (random.once(16)) {
      object.resize(place);
    } else if (random.once(2)) {
      object[place] = static_cast<char>(random.below(256));
    } else {
      uint64_t value = random.edge();
      size_t width = size_t(1) << random.below(4);
      place = place / width * width;
      std::memcpy(object.data() + place, &value,
                  std::min(width, object.size() - place));
    }
  }
  return (random.once(8) ? "0" : "1") + object;
}

std::string CacheTarget::run(const std::string &input) {
  if (folder.empty() &&
      llvm::sys::fs::createUniqueDirectory("gensyn-fuzz-cache", folder))
    return "no temporary folder";
  cpu::KernelCache cache(folder.str().str());
  const std::string key(64, 'a');
  const std::string object = input.substr(1);
  cache.store(key, object);
  if (input[0] == '0') {
    std::fstream file((folder + "/" + key + ".o").str(),
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(object.size() % headerBytes));
    file.put('?');
  }
  std::optional<std::string> loaded = cache.load(key);
  if (loaded.has_value() == (input[0] == '0'))
    return "an altered entry is believed, or a good one refused";
  if (!loaded)
    return "";
  // The name is that of the first suitable symbol.
  for (const char *kernel : {"map", "contract", "reduce"})
    if (cpu::isKernelObject(*loaded, kernel, *machine::findCpu("x86-64"))) {
      std::string error, unused;
      if (failed(cpu::linkObjects({*loaded}, error)) &&
          failed(cpu::linkObjects({objects.front()}, unused)))
        return "after this the linker cannot run again: " + error;
      return "";
    }
  return "";
}

} // namespace

int main(int count, char **arguments) {
  return runFuzzer<CacheTarget>(count, arguments, "ENTRY.o...");
}
