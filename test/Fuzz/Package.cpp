// Fuzzes packages: fields of the message are mutated in the protobuf wire
// format, text and ELF headers by bytes; then sizes, hashes and digests are
// corrected. The remaining programs are loaded and run. The compiler's library,
// which interprets reference programs, is opened in this process, so that its
// crashes are findings.

#include "Driver.h"
#include "Wire.h"

#include "Packages/PackageFormat.h"
#include "gensyn/Executable/Packages/MemoryStats.h"
#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Machine/Report.h"
#include "gensyn/Machine/TraceFile.h"
#include "gensyn/Runtime/Compiler/Compiler.h"
#include "gensyn/Runtime/Devices/Devices.h"
#include "gensyn/Runtime/Devices/ParameterStore.h"
#include "gensyn/Runtime/Devices/Session.h"

#if GOOGLE_PROTOBUF_VERSION < 4022000
#include <google/protobuf/stubs/logging.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>

#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

using namespace gensyn;
using namespace gensyn::fuzz;
using namespace gensyn::runtime;

namespace {

/// A package without its header.
struct Parts {
  std::list<Field> fields;
  std::string data;
};

uint64_t readNumber(const std::string &text, size_t at) {
  uint64_t value = 0;
  for (size_t i = 8; i-- > 0;)
    value = value << 8 | static_cast<uint8_t>(text[at + i]);
  return value;
}

std::string assemble(const Parts &parts, const std::string &message) {
  PackageHeader header;
  header.messageBytes = message.size();
  header.dataBytes = parts.data.size();
  std::string body = message;
  body.resize(PackageHeader::padded(body.size()), '\0');
  body += parts.data;
  Hasher hasher;
  hasher.update(header.encode());
  hasher.update(body);
  return header.encode() + packHash(hasher.hex()) + body;
}

class PackageTarget final : public Target {
public:
  explicit PackageTarget(const std::vector<std::string> &corpus) {
    for (const std::string &path : corpus) {
      std::ifstream file(path, std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), {}};
      if (text.size() < PackageHeader::bytes)
        continue;
      Parts &parts = packages.emplace_back();
      parseFields(text.substr(PackageHeader::bytes, readNumber(text, 16)),
                  parts.fields);
      uint64_t dataBytes = readNumber(text, 24);
      parts.data = text.substr(text.size() - dataBytes);
    }
  }
  ~PackageTarget() override {
    std::error_code ignored;
    if (!file.empty())
      std::filesystem::remove(file, ignored);
  }

  std::string name() const override { return "package"; }
  std::string mutate(Random &random) override;
  std::string run(const std::string &input) override;

private:
  void change(Parts &parts, Random &random);
  static void changeBytes(Field &field, Random &random);
  void runProgram(const Package &package, const plan::PackedProgram &program);
  static void runOn(Device &device,
                    const std::shared_ptr<const plan::Executable> &executable);

  std::vector<Parts> packages;
  std::filesystem::path file;
  std::shared_ptr<Compiler> compiler;
};

/// True if a byte of an ELF file is in the address of a function, which is
/// trusted like the code at that address.
bool isEntryPoint(const std::string &elf, size_t place) {
  auto read = [&](auto &value, uint64_t at) {
    const bool isThere = at <= elf.size() && elf.size() - at >= sizeof(value);
    if (isThere)
      std::memcpy(&value, elf.data() + at, sizeof(value));
    return isThere;
  };
  Elf64_Ehdr header;
  Elf64_Shdr section;
  Elf64_Sym symbol;
  if (!read(header, 0))
    return false;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    if (!read(section, header.e_shoff + i * sizeof(section)))
      return false;
    const uint64_t at = place - section.sh_offset;
    if (section.sh_type != SHT_DYNSYM || place < section.sh_offset ||
        at >= section.sh_size)
      continue;
    const uint64_t within = at % sizeof(symbol);
    return read(symbol, place - within) &&
           ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
           within >= offsetof(Elf64_Sym, st_value) &&
           within < offsetof(Elf64_Sym, st_size);
  }
  return false;
}

void PackageTarget::changeBytes(Field &field, Random &random) {
  std::string &bytes = field.bytes;
  if (bytes.size() >= 64 && bytes.substr(0, 4) == "\x7f"
                                                  "ELF") {
    // Code and its entry points are trusted; the headers before it, and the
    // loader's tables after them, are not.
    size_t place = random.below(random.once(2) ? 64 : 1024) % bytes.size();
    if (random.once(2)) {
      const char byte = static_cast<char>(random.below(256));
      if (!isEntryPoint(bytes, place))
        bytes[place] = byte;
      return;
    }
    place = place / 8 * 8;
    uint64_t value = random.edge();
    if (isEntryPoint(bytes, place))
      return;
    std::memcpy(bytes.data() + place, &value,
                std::min<size_t>(8, bytes.size() - place));
    return;
  }
  fuzz::changeBytes(bytes, random);
}

void PackageTarget::change(Parts &parts, Random &random) {
  changeFields(parts.fields, random, changeBytes);
}

std::string PackageTarget::mutate(Random &random) {
  Parts parts = packages[random.below(packages.size())];
  for (uint64_t i = 1 + random.below(random.once(4) ? 8 : 2); i > 0; --i)
    change(parts, random);
  std::string message = writeFields(parts.fields);
  if (random.once(50) && !message.empty())
    message.resize(random.below(message.size()));
  return assemble(parts, message);
}

std::shared_ptr<Compiler> openCompiler() {
  const char *path = std::getenv("GENSYN_COMPILER");
  void *library = path ? ::dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!library)
    throw std::runtime_error("GENSYN_COMPILER names no compiler's library");
  return std::make_shared<Compiler>(reinterpret_cast<Compiler::Call>(::dlsym(
                                        library, "gensyn_compiler_call")),
                                    reinterpret_cast<Compiler::Free>(::dlsym(
                                        library, "gensyn_compiler_free")));
}

/// The digest of an altered program, from the error that reports it; empty if
/// it is another error.
std::string digestIn(const std::string &message) {
  constexpr std::string_view before = "has the digest ";
  const size_t at = message.find(before);
  return at == message.npos ? "" : message.substr(at + before.size(), 64);
}

/// Its digest would show every change.
void dropMappingDigest(plan::Executable &executable) {
  mapping::Mapping mapping;
#if GOOGLE_PROTOBUF_VERSION < 4022000
  google::protobuf::LogSilencer quiet;
#endif
  if (!mapping.ParseFromString(executable.mapping()))
    return;
  mapping.clear_digest();
  executable.set_mapping(mapping.SerializeAsString());
}

/// Does what gensyn-run simulate does.
void reportOn(const plan::Executable &executable) {
  const machine::MappedProgram program(executable);
  machine::TraceFile trace(100);
  const machine::Statistics run = machine::simulateRun(
      program, [&](const machine::TraceEvent &event) { trace.add(event); });
  (void)machine::describeMapping(program, run,
                                 machine::simulatePreparation(program));
  const machine::RunReport report = machine::makeReport(program, run);
  if (report.path.total() != report.time)
    throw std::logic_error("the critical path takes another time");
  (void)machine::printReport(report);
  (void)machine::printNotes(program, report);
  (void)machine::toJson(report);
  (void)machine::notesToJson(program);
}

void PackageTarget::runProgram(const Package &package,
                               const plan::PackedProgram &program) {
  const std::string &target = program.target();
  std::string device = target.substr(0, target.find(':'));
  std::string architecture =
      target.substr(std::min(device.size() + 1, target.size()));
  const auto kind = programKindFromName(program.executable().kind());
  if (!kind)
    return;
  auto executable = package.find(*kind, target, program.batch_size());
  std::unique_ptr<Device> loader;
  if (device == "machine") {
    auto mapped = std::make_shared<plan::Executable>(*executable);
    dropMappingDigest(*mapped);
    reportOn(*mapped);
    executable = std::move(mapped);
    loader = makeMachineDevice(architecture, nullptr, /*isPackaged=*/true);
  } else if (device == "cpu")
    loader = makeCpuDevice(architecture, 2, nullptr, /*isPackaged=*/true);
  else if (device == "ptx")
    loader = makePtxSimDevice(architecture, 1, false, 1 << 22);
  else
    loader = makeReferenceDevice(compiler, /*isPackaged=*/true);
  try {
    runOn(*loader, executable);
  } catch (const Failure &failure) {
    const std::string digest = digestIn(failure.what());
    if (digest.empty())
      throw;
    auto consistent = std::make_shared<plan::Executable>(*executable);
    consistent->set_program_digest(digest);
    runOn(*loader, consistent);
  }
}

void PackageTarget::runOn(
    Device &device, const std::shared_ptr<const plan::Executable> &executable) {
  std::unique_ptr<Program> loaded = device.load(executable);
  ParameterStore store;
  Session session(std::move(loaded), store);
  StepInputs given;
  given.seed = 1;
  given.step = 1;
  for (const Port &port : session.signature().inputs)
    if (!isKept(port) && port.role != Role::Key && port.role != Role::Step)
      given.tensors.emplace(port.name, Tensor(port.type, port.shape));
  session.stage(given);
  session.begin();
  session.end();
  (void)session.metrics();
}

std::string PackageTarget::run(const std::string &input) {
  if (file.empty()) {
    file = std::filesystem::temp_directory_path() /
           ("gensyn-fuzz-package-" + std::to_string(::getpid()));
    compiler = openCompiler();
  }
  std::ofstream(file, std::ios::binary) << input;
  try {
    Package package(file);
    (void)package.describePrograms();
    for (const plan::PackedProgram &program : package.message().programs()) {
      (void)measureMemory(program.executable().plan());
      try {
        runProgram(package, program);
      } catch (const Failure &failure) {
        // Another program may still be good. An error that would be a bug in a
        // program of ours means an altered file here, as gensyn-run reports it.
        // No response is a bug.
        if (std::string(failure.what()).find("gives no answer") !=
            std::string::npos)
          return failure.what();
      }
    }
  } catch (const Failure &failure) {
    if (failure.code == ExitCode::Bug)
      return std::string("exit code 70: ") + failure.what();
  }
  return "";
}

} // namespace

int main(int count, char **arguments) {
  return runFuzzer<PackageTarget>(count, arguments, "FILE.gxe...");
}
