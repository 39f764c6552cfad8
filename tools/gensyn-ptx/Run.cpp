// Runs one kernel on the simulator, with buffers from the command line.

#include "Run.h"

#include "gensyn/Ptx/Simulator.h"

#include <charconv>
#include <cstring>
#include <deque>
#include <iostream>

namespace gensyn::ptx::tool {

const char *const runHelp =
    "gensyn-ptx run FILE [option]... runs a kernel and prints its buffers:\n"
    "  --kernel NAME         which one; may be left out if there is only one\n"
    "  --grid X[,Y[,Z]]      blocks (1)\n"
    "  --block X[,Y[,Z]]     threads of a block (1)\n"
    "  --shared BYTES        dynamic shared memory (0)\n"
    "  --threads N           threads of this machine (1)\n"
    "  --max-instructions N  stop a kernel that issues more, all warps\n"
    "                        together (134217728, a few seconds)\n"
    "  --check               also report races and reads of memory that was\n"
    "                        never written\n"
    "Arguments of the kernel, in the order of its parameters; TYPE is one of\n"
    "u8 s8 u16 s16 u32 s32 u64 s64 f32 f64:\n"
    "  --buffer TYPE=V[,V]...  an array, which is printed afterwards\n"
    "  --empty TYPE=COUNT      an array that nobody has written\n"
    "  --value TYPE=V          a number\n";

namespace {

struct TypeName {
  std::string_view name;
  unsigned bytes;
  char kind; ///< u, s, f
};
constexpr TypeName typeNames[] = {
    {"u8", 1, 'u'},  {"s8", 1, 's'},  {"u16", 2, 'u'}, {"s16", 2, 's'},
    {"u32", 4, 'u'}, {"s32", 4, 's'}, {"u64", 8, 'u'}, {"s64", 8, 's'},
    {"f32", 4, 'f'}, {"f64", 8, 'f'}};

/// An argument that is an array.
struct Buffer {
  const TypeName *type;
  size_t bytes;
  bool isWritten; ///< in the beginning
  // Aligned to 64 bytes inside the allocation.
  std::vector<std::byte> storage;
  std::byte *data() {
    auto begin = reinterpret_cast<uint64_t>(storage.data());
    return storage.data() + ((begin + 63) / 64 * 64 - begin);
  }
};

struct Options {
  const char *file = nullptr;
  std::string_view kernel;
  Dimensions grid, block;
  uint64_t sharedBytes = 0;
  uint64_t maxInstructions = uint64_t(1) << 27;
  unsigned threads = 1;
  bool check = false;
  std::deque<Buffer> buffers;
  /// Values, with the buffer for an address.
  struct Argument {
    Buffer *buffer = nullptr;
    std::vector<std::byte> value;
  };
  std::vector<Argument> arguments;
};

template <class T> bool parseNumber(std::string_view text, T &value) {
  auto [end, problem] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

std::string_view cut(std::string_view &text, char separator) {
  size_t at = std::min(text.find(separator), text.size());
  std::string_view first = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return first;
}

bool parseDimensions(std::string_view text, Dimensions &dimensions) {
  for (uint32_t *each : {&dimensions.x, &dimensions.y, &dimensions.z})
    if (!parseNumber(cut(text, ','), *each))
      return false;
    else if (text.empty())
      return true;
  return false;
}

template <class T>
bool appendNumber(std::string_view text, unsigned bytes,
                  std::vector<std::byte> &out) {
  T value = 0;
  if (!parseNumber(text, value))
    return false;
  out.resize(out.size() + bytes);
  std::memcpy(out.data() + out.size() - bytes, &value, bytes);
  return true;
}

bool appendValue(std::string_view text, const TypeName &type,
                 std::vector<std::byte> &out) {
  if (type.kind == 'f')
    return type.bytes == 4 ? appendNumber<float>(text, 4, out)
                           : appendNumber<double>(text, 8, out);
  return type.kind == 'u' ? appendNumber<uint64_t>(text, type.bytes, out)
                          : appendNumber<int64_t>(text, type.bytes, out);
}

const TypeName *findType(std::string_view name) {
  for (const TypeName &each : typeNames)
    if (each.name == name)
      return &each;
  return nullptr;
}

/// --buffer, --empty or --value.
bool addArgument(Options &options, std::string_view option,
                 std::string_view text) {
  const TypeName *type = findType(cut(text, '='));
  if (type == nullptr)
    return false;
  Options::Argument &argument = options.arguments.emplace_back();
  if (option == "--value")
    return appendValue(text, *type, argument.value);
  std::vector<std::byte> bytes;
  bool isEmpty = option == "--empty";
  if (isEmpty) {
    uint64_t count = 0;
    if (!parseNumber(text, count) || count > (uint64_t(1) << 30))
      return false;
    bytes.resize(count * type->bytes, std::byte(0xFF));
  }
  while (!isEmpty && !text.empty())
    if (!appendValue(cut(text, ','), *type, bytes))
      return false;
  Buffer &buffer =
      options.buffers.emplace_back(Buffer{type, bytes.size(), !isEmpty, {}});
  buffer.storage.resize(bytes.size() + 64);
  std::memcpy(buffer.data(), bytes.data(), bytes.size());
  argument.buffer = &buffer;
  return true;
}

bool parseOption(Options &options, std::string_view option,
                 std::string_view value) {
  if (option == "--kernel")
    options.kernel = value;
  else if (option == "--grid")
    return parseDimensions(value, options.grid);
  else if (option == "--block")
    return parseDimensions(value, options.block);
  else if (option == "--shared")
    return parseNumber(value, options.sharedBytes);
  else if (option == "--threads")
    return parseNumber(value, options.threads) && options.threads != 0;
  else if (option == "--max-instructions")
    return parseNumber(value, options.maxInstructions);
  else if (option == "--buffer" || option == "--empty" || option == "--value")
    return addArgument(options, option, value);
  else
    return false;
  return true;
}

/// The parameters' bytes, or an error.
bool layOut(const KernelInfo &kernel, Options &options,
            std::vector<std::byte> &bytes, std::string &problem) {
  if (options.arguments.size() != kernel.parameters.size()) {
    problem = "kernel '" + kernel.name + "' has " +
              std::to_string(kernel.parameters.size()) + " parameters, not " +
              std::to_string(options.arguments.size());
    return false;
  }
  bytes.resize(kernel.parameterBytes);
  for (size_t i = 0; i != kernel.parameters.size(); ++i) {
    const KernelInfo::Parameter &parameter = kernel.parameters[i];
    Options::Argument &argument = options.arguments[i];
    if (argument.buffer) {
      auto address = reinterpret_cast<uint64_t>(argument.buffer->data());
      argument.value.resize(sizeof(address));
      std::memcpy(argument.value.data(), &address, sizeof(address));
    }
    if (argument.value.size() != parameter.size) {
      problem = "parameter '" + parameter.name + "' of kernel '" + kernel.name +
                "' has " + std::to_string(parameter.size) + " bytes, not " +
                std::to_string(argument.value.size());
      return false;
    }
    std::memcpy(bytes.data() + parameter.offset, argument.value.data(),
                parameter.size);
  }
  return true;
}

template <class T> void printElements(Buffer &buffer) {
  for (size_t i = 0; i * sizeof(T) != buffer.bytes; ++i) {
    T value;
    std::memcpy(&value, buffer.data() + i * sizeof(T), sizeof(T));
    char text[64];
    char *end = text;
    if constexpr (sizeof(T) == 1)
      end = std::to_chars(text, text + sizeof(text), int(value)).ptr;
    else
      end = std::to_chars(text, text + sizeof(text), value).ptr;
    std::cout << (i == 0 ? " " : ", ") << std::string_view(text, end);
  }
}

void print(size_t parameter, Buffer &buffer) {
  std::cout << "argument " << parameter << ":";
  switch (buffer.type->kind) {
  case 'f':
    buffer.type->bytes == 4 ? printElements<float>(buffer)
                            : printElements<double>(buffer);
    break;
  case 'u':
    buffer.type->bytes == 1   ? printElements<uint8_t>(buffer)
    : buffer.type->bytes == 2 ? printElements<uint16_t>(buffer)
    : buffer.type->bytes == 4 ? printElements<uint32_t>(buffer)
                              : printElements<uint64_t>(buffer);
    break;
  default:
    buffer.type->bytes == 1   ? printElements<int8_t>(buffer)
    : buffer.type->bytes == 2 ? printElements<int16_t>(buffer)
    : buffer.type->bytes == 4 ? printElements<int32_t>(buffer)
                              : printElements<int64_t>(buffer);
  }
  std::cout << "\n";
}

const KernelInfo *findKernel(const std::vector<KernelInfo> &kernels,
                             std::string_view name) {
  for (const KernelInfo &each : kernels)
    if (each.name == name || (name.empty() && kernels.size() == 1))
      return &each;
  return nullptr;
}

ExitCode launch(const Module &module, const KernelInfo &kernel,
                Options &options) {
  std::vector<std::byte> parameters;
  std::string problem;
  if (!layOut(kernel, options, parameters, problem))
    return complain(problem, ExitCode::Usage);
  Memory memory;
  std::deque<Written> written;
  for (Buffer &buffer : options.buffers) {
    Written *known = nullptr;
    if (options.check) {
      known = &written.emplace_back(buffer.data(), buffer.bytes);
      if (buffer.isWritten)
        known->mark(buffer.data(), buffer.bytes);
    }
    memory.add(buffer.data(), buffer.bytes, known);
  }
  Launch launch;
  launch.kernel = kernel.name;
  launch.grid = options.grid;
  launch.block = options.block;
  launch.dynamicSharedBytes = options.sharedBytes;
  launch.parameters = parameters;
  launch.threads = options.threads;
  launch.maxInstructions = options.maxInstructions;
  launch.findRaces = options.check;
  Statistics statistics;
  if (auto fault = module.launch(launch, memory, &statistics)) {
    if (fault->kind == Fault::Kind::Limit)
      return complain(fault->message + "; --max-instructions raises it",
                      ExitCode::OutOfResources);
    return complain(fault->message, ExitCode::Mismatch);
  }
  printLine(kernel.name + ": " + std::to_string(statistics.threadInstructions) +
            " thread instructions");
  for (size_t i = 0; i != options.arguments.size(); ++i)
    if (options.arguments[i].buffer)
      print(i, *options.arguments[i].buffer);
  return ExitCode::Ok;
}

} // namespace

ExitCode runKernel(std::span<char *const> arguments) {
  Options options;
  for (size_t i = 0; i != arguments.size(); ++i) {
    std::string_view option = arguments[i];
    if (option == "--check") {
      options.check = true;
    } else if (!option.starts_with("--")) {
      if (options.file != nullptr)
        return complain("more than one file", ExitCode::Usage);
      options.file = arguments[i];
    } else if (i + 1 == arguments.size()) {
      return complain("'" + std::string(option) + "' needs a value",
                      ExitCode::Usage);
    } else if (!parseOption(options, option, arguments[i + 1])) {
      return complain("cannot understand '" + std::string(option) + " " +
                          arguments[i + 1] + "'",
                      ExitCode::Usage);
    } else {
      ++i;
    }
  }
  if (options.file == nullptr)
    return complain("no file", ExitCode::Usage);
  auto text = readFile(options.file);
  if (!text)
    return ExitCode::InputOutput;
  auto module = Module::parse(std::move(*text));
  if (!module)
    return complain(std::string(options.file) + ":" +
                        std::to_string(module.error().line) + ": " +
                        module.error().message,
                    ExitCode::BadInput);
  std::vector<KernelInfo> kernels = module->kernels();
  const KernelInfo *kernel = findKernel(kernels, options.kernel);
  if (kernel == nullptr)
    return complain(options.kernel.empty()
                        ? "the file has " + std::to_string(kernels.size()) +
                              " kernels; --kernel says which one"
                        : "the file has no kernel '" +
                              std::string(options.kernel) + "'",
                    ExitCode::Usage);
  return launch(*module, *kernel, options);
}

} // namespace gensyn::ptx::tool
