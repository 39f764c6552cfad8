// See ObjectCheck.h. LLVM's readers of whole ELF files abort where a part of
// one is malformed; those of its parts return errors.

#include "ObjectCheck.h"

#include "llvm/Object/ELF.h"

using namespace llvm;
using namespace llvm::object;

namespace gensyn::cpu {
namespace {

using File = ELFFile<ELF64LE>;
using Section = File::Elf_Shdr;

class ObjectCheck {
public:
  ObjectCheck(const File &file, StringRef name) : file(file), name(name) {}

  Expected<bool> run() {
    const auto &header = file.getHeader();
    if (header.e_type != ELF::ET_REL || header.e_machine != ELF::EM_X86_64)
      return false;
    auto sections = file.sections();
    if (!sections)
      return sections.takeError();
    all = *sections;
    const Section *symbols = nullptr;
    for (const Section &section : all) {
      // Bytes that a file does not hold, and tables of lists of sections.
      if (section.sh_type == ELF::SHT_NOBITS && section.sh_size > kMostZeros)
        return false;
      if (section.sh_type == ELF::SHT_GROUP ||
          section.sh_type == ELF::SHT_SYMTAB_SHNDX)
        return false;
      if (section.sh_addralign > kMostAlignment)
        return false;
      if (section.sh_type != ELF::SHT_NOBITS)
        if (auto contents = file.getSectionContents(section); !contents)
          return contents.takeError();
      if (section.sh_type == ELF::SHT_SYMTAB)
        symbols = &section;
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

  Expected<bool> checkSymbols(const Section &table) {
    auto entries = file.symbols(&table);
    if (!entries)
      return entries.takeError();
    auto strings = file.getStringTableForSymtab(table);
    if (!strings)
      return strings.takeError();
    symbolCount = entries->size();
    bool isDefined = false;
    for (const auto &symbol : drop_begin(*entries)) {
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
    for (const auto &relocation : *relocations)
      if (relocation.r_offset > all[section.sh_info].sh_size ||
          relocation.getSymbol(/*isMips64EL=*/false) >= symbolCount)
        return false;
    return true;
  }

  const File &file;
  StringRef name;
  ArrayRef<Section> all;
  uint64_t symbolCount = 0;
};

} // namespace

bool isKernelObject(StringRef bytes, StringRef name) {
  // The reader takes the fields of the header as they are aligned.
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
  auto isGood = ObjectCheck(*file, name).run();
  if (!isGood) {
    consumeError(isGood.takeError());
    return false;
  }
  return *isGood;
}

} // namespace gensyn::cpu
