// See LinkProgram.h.

#include "LinkProgram.h"

#include "Firmware.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::object;

namespace gensyn::coreprogram {

using File = ELFFile<ELF32LE>;

/// Calls `visit` with the name, the size in memory and the contents of each
/// section of an ELF file.
static Error forEachSection(
    StringRef bytes,
    function_ref<Error(StringRef, const File::Elf_Shdr &, ArrayRef<uint8_t>)>
        visit) {
  Expected<File> file = File::create(bytes);
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr &section : *sections) {
    auto name = file->getSectionName(section);
    if (!name)
      return name.takeError();
    ArrayRef<uint8_t> contents;
    if (section.sh_type != ELF::SHT_NOBITS)
      if (Error error = file->getSectionContents(section).moveInto(contents))
        return error;
    if (Error error = visit(*name, section, contents))
      return error;
  }
  return Error::success();
}

/// The stack of a program: the two largest frames of pieces, a function and the
/// body that it calls, and what the loop, the routines and an exception take.
static uint64_t findStack(StringRef pieces) {
  uint64_t largest = 0, second = 0;
  cantFail(forEachSection(
      pieces, [&](StringRef name, const auto &, ArrayRef<uint8_t> contents) {
        // An address and a number for each function.
        if (name != ".stack_sizes")
          return Error::success();
        const uint8_t *next = contents.begin(), *end = contents.end();
        while (end - next > 4) {
          unsigned length = 0;
          const uint64_t frame = decodeULEB128(next + 4, &length, end);
          next += 4 + std::max(length, 1u);
          second = std::max(second, std::min(largest, frame));
          largest = std::max(largest, frame);
        }
        return Error::success();
      }));
  constexpr uint64_t firmware = 1536;
  return alignTo(largest + second + firmware, 8);
}

/// Buffers are at the addresses of the mapping, from the origin on. Everything
/// else follows where the memory is reserved for it.
static std::string makeScript(const machine::CoreKind &kind,
                              const machine::MemoryKind &memory,
                              uint64_t stack) {
  const int64_t origin = kind.origin.value;
  std::string script;
  raw_string_ostream(script)
      << "gensyn_origin = " << origin << ";\n"
      << "gensyn_program = "
      << origin + memory.size.value - memory.reserved.value << ";\n"
      << "gensyn_stack_bytes = " << stack << ";\n"
      << R"(
ENTRY(gensyn_start)
PHDRS { boot PT_LOAD; program PT_LOAD; }
SECTIONS {
  .boot gensyn_origin : { KEEP(*(.boot)) } :boot
  .vectors gensyn_program : ALIGN(128) { KEEP(*(.vectors)) } :program
  .text : { *(.text .text.*) }
  .rodata : { *(.rodata .rodata.*) }
  .data : { *(.data .data.*) }
  .tables : ALIGN(4) { *(.tables) }
  .bss (NOLOAD) : ALIGN(4) {
    gensyn_zeros_begin = .;
    *(.bss .bss.*)
    . = ALIGN(4);
    gensyn_zeros_end = .;
  }
  .stack (NOLOAD) : ALIGN(8) {
    . += gensyn_stack_bytes;
    gensyn_stack_top = .;
  }
  /DISCARD/ : { *(.ARM.exidx* .comment) }
}
)";
  return script;
}

static std::vector<StringRef> listObjects(StringRef script,
                                          const cpu::Target &target,
                                          StringRef pieces,
                                          ArrayRef<StringRef> more) {
  std::vector<StringRef> objects = {script, pieces};
  append_range(objects, more);
  for (const FirmwareObject &object : getFirmware())
    if (object.target == target.name)
      objects.emplace_back(object.bytes);
  return objects;
}

ProgramLinker::ProgramLinker(const machine::CoreKind &kind,
                             const machine::MemoryKind &memory,
                             const cpu::Target &target, StringRef pieces,
                             ArrayRef<StringRef> more)
    : stack(findStack(pieces)), script(makeScript(kind, memory, stack)),
      linker({"-static", "-n", "--gc-sections", "--no-undefined"},
             listObjects(script, target, pieces, more)) {}

LogicalResult ProgramLinker::link(StringRef tables, CoreProgram &program,
                                  std::string &error) {
  FailureOr<std::string> file = linker.link({tables}, error);
  if (failed(file))
    return failure();
  program.file = std::move(*file);
  program.stack = stack;
  Error problem = forEachSection(
      program.file,
      [&](StringRef name, const File::Elf_Shdr &section, ArrayRef<uint8_t>) {
        if (!(section.sh_flags & ELF::SHF_ALLOC) || name == ".boot" ||
            name == ".stack")
          return Error::success();
        (name == ".tables" ? program.tables
         : name == ".bss"  ? program.zeros
                           : program.code) += section.sh_size;
        return Error::success();
      });
  if (!problem)
    return success();
  error = toString(std::move(problem));
  return failure();
}

} // namespace gensyn::coreprogram
