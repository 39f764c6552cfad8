// See ObjectCheck.h. LLVM's readers of whole ELF files abort on malformed
// parts; those of individual parts return errors.

#include "ObjectCheck.h"

#include "llvm/Object/ELF.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace llvm::object;

namespace gensyn::cpu {
namespace {

using File = ELFFile<ELF64LE>;
using Section = File::Elf_Shdr;

/// An architecture's number in a header, and the relocations that code for it
/// has: distances of at most 32 bits from code to its own constants and
/// functions.
struct Architecture {
  Triple::ArchType type;
  uint16_t machine;
  ArrayRef<uint32_t> relocations;
};

constexpr uint32_t kX86[] = {ELF::R_X86_64_PC32, ELF::R_X86_64_PLT32};
constexpr uint32_t kAArch64[] = {ELF::R_AARCH64_ADR_PREL_PG_HI21,
                                 ELF::R_AARCH64_ADD_ABS_LO12_NC,
                                 ELF::R_AARCH64_LDST8_ABS_LO12_NC,
                                 ELF::R_AARCH64_LDST16_ABS_LO12_NC,
                                 ELF::R_AARCH64_LDST32_ABS_LO12_NC,
                                 ELF::R_AARCH64_LDST64_ABS_LO12_NC,
                                 ELF::R_AARCH64_LDST128_ABS_LO12_NC,
                                 ELF::R_AARCH64_CALL26,
                                 ELF::R_AARCH64_JUMP26,
                                 ELF::R_AARCH64_PREL32};
const Architecture kArchitectures[] = {
    {Triple::x86_64, ELF::EM_X86_64, kX86},
    {Triple::aarch64, ELF::EM_AARCH64, kAArch64}};

class ObjectCheck {
public:
  ObjectCheck(const File &file, StringRef name,
              const Architecture &architecture)
      : file(file), name(name), architecture(architecture) {}

  Expected<bool> run() {
    const auto &header = file.getHeader();
    if (header.e_type != ELF::ET_REL ||
        header.e_machine != architecture.machine)
      return false;
    auto sections = file.sections();
    if (!sections)
      return sections.takeError();
    all = *sections;
    for (const Section &section : all) {
      auto isGood = checkSection(section);
      if (!isGood || !*isGood)
        return isGood;
      if (section.sh_type == ELF::SHT_SYMTAB &&
          std::exchange(symbols, &section))
        return false;
    }
    if (!symbols)
      return false;
    if (auto isGood = checkSymbols(*symbols); !isGood || !*isGood)
      return isGood;
    for (const Section &section : all)
      if (auto isGood = checkRelocations(section); !isGood || !*isGood)
        return isGood;
    return true;
  }

private:
  static constexpr uint64_t kMostZeros = 1 << 20, kMostAlignment = 4096;

  /// Permits code, constants and their tables. The linker interprets some other
  /// sections and ends the process if they are malformed: tables of frames,
  /// properties, groups, compressed bytes.
  Expected<bool> checkSection(const Section &section) {
    if (section.sh_addralign > kMostAlignment ||
        !is_contained({ELF::SHT_NULL, ELF::SHT_PROGBITS, ELF::SHT_NOBITS,
                       ELF::SHT_STRTAB, ELF::SHT_SYMTAB, ELF::SHT_RELA},
                      section.sh_type) ||
        (section.sh_flags &
         ~uint64_t(ELF::SHF_ALLOC | ELF::SHF_WRITE | ELF::SHF_EXECINSTR |
                   ELF::SHF_MERGE | ELF::SHF_STRINGS | ELF::SHF_INFO_LINK |
                   ELF::SHF_EXCLUDE)))
      return false;
    auto title = file.getSectionName(section);
    if (!title)
      return title.takeError();
    if (section.sh_flags & ELF::SHF_ALLOC &&
        none_of(ArrayRef<StringRef>{".text", ".rodata", ".data", ".bss"},
                [&](StringRef prefix) { return title->starts_with(prefix); }))
      return false;
    const bool isProgram = section.sh_type == ELF::SHT_PROGBITS ||
                           section.sh_type == ELF::SHT_NOBITS;
    if (!isProgram && section.sh_flags & ~uint64_t(ELF::SHF_INFO_LINK))
      return false;
    // Mergeable sections must consist of whole entries.
    if (section.sh_flags & ELF::SHF_MERGE &&
        (section.sh_type == ELF::SHT_NOBITS || section.sh_entsize == 0 ||
         section.sh_entsize > kMostAlignment ||
         section.sh_size % section.sh_entsize ||
         section.sh_flags & (ELF::SHF_STRINGS | ELF::SHF_WRITE)))
      return false;
    // The section has no bytes in the file.
    if (section.sh_type == ELF::SHT_NOBITS)
      return section.sh_size <= kMostZeros;
    if (auto contents = file.getSectionContents(section); !contents)
      return contents.takeError();
    return true;
  }

  Expected<bool> checkSymbols(const Section &table) {
    auto entries = file.symbols(&table);
    if (!entries)
      return entries.takeError();
    auto strings = file.getStringTableForSymtab(table);
    if (!strings)
      return strings.takeError();
    symbolCount = entries->size();
    if (table.sh_info == 0 || table.sh_info > symbolCount)
      return false;
    // The first symbol is reserved, but the linker reads it all the same.
    if (const auto &none = entries->front(); none.st_name || none.st_info ||
                                             none.st_other || none.st_shndx ||
                                             none.st_value || none.st_size)
      return false;
    bool isDefined = false;
    for (auto [number, symbol] : drop_begin(enumerate(*entries))) {
      // Local symbols come first.
      if (symbol.getBinding() > ELF::STB_GLOBAL ||
          (symbol.getBinding() == ELF::STB_LOCAL) != (number < table.sh_info))
        return false;
      auto text = symbol.getName(*strings);
      if (!text)
        return text.takeError();
      const uint32_t section = symbol.st_shndx;
      if (section == ELF::SHN_ABS && symbol.getType() == ELF::STT_FILE)
        continue;
      if (section == ELF::SHN_UNDEF && *text == "_GLOBAL_OFFSET_TABLE_")
        continue;
      if (section == ELF::SHN_UNDEF || section >= all.size())
        return false;
      if (symbol.getType() > ELF::STT_FILE ||
          symbol.st_value > all[section].sh_size ||
          symbol.st_size > all[section].sh_size - symbol.st_value)
        return false;
      isDefined |= symbol.getBinding() == ELF::STB_GLOBAL &&
                   (*text == name ||
                    (text->starts_with(name) && (*text)[name.size()] == '_'));
    }
    return isDefined;
  }

  Expected<bool> checkRelocations(const Section &section) {
    if (section.sh_type == ELF::SHT_REL)
      return false;
    if (section.sh_type != ELF::SHT_RELA)
      return true;
    if (section.sh_info >= all.size())
      return false;
    auto relocations = file.relas(section);
    if (!relocations)
      return relocations.takeError();
    const Section &changed = all[section.sh_info];
    if (all.data() + section.sh_link != symbols ||
        changed.sh_type != ELF::SHT_PROGBITS)
      return false;
    for (const auto &relocation : *relocations)
      if (changed.sh_size < 4 || relocation.r_offset > changed.sh_size - 4 ||
          !is_contained(architecture.relocations,
                        relocation.getType(/*isMips64EL=*/false)) ||
          relocation.getSymbol(/*isMips64EL=*/false) >= symbolCount)
        return false;
    return true;
  }

  const File &file;
  StringRef name;
  const Architecture &architecture;
  ArrayRef<Section> all;
  const Section *symbols = nullptr;
  uint64_t symbolCount = 0;
};

} // namespace

bool isKernelObject(StringRef bytes, StringRef name,
                    const machine::Cpu &target) {
  const Triple triple{StringRef(target.triple)};
  const auto *architecture =
      find_if(kArchitectures, [&](const Architecture &known) {
        return known.type == triple.getArch();
      });
  if (architecture == std::end(kArchitectures))
    return false;
  // The reader assumes that the fields of the header are aligned.
  if (!isAddrAligned(Align(alignof(File::Elf_Ehdr)), bytes.data()) ||
      !bytes.starts_with(StringRef("\x7f"
                                   "ELF\2\1\1",
                                   7)))
    return false;
  auto file = File::create(bytes);
  if (!file) {
    consumeError(file.takeError());
    return false;
  }
  auto isGood = ObjectCheck(*file, name, *architecture).run();
  if (!isGood) {
    consumeError(isGood.takeError());
    return false;
  }
  return *isGood;
}

} // namespace gensyn::cpu
