// Fuzzes the PTX library: texts are mutated by tokens and lines, audited and
// parsed, and their remaining kernels are run on the simulator.

#include "Driver.h"

#include "gensyn/Ptx/Audit.h"
#include "gensyn/Ptx/Simulator.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

using namespace gensyn;
using namespace gensyn::fuzz;

namespace {

enum class Kind : uint8_t { Space, Word, Directive, Number, Other };

struct Token {
  Kind kind;
  std::string text;
};

Kind kindOf(const std::string &text, size_t at) {
  auto c = static_cast<unsigned char>(text[at]);
  if (std::isspace(c))
    return Kind::Space;
  if (std::isdigit(c))
    return Kind::Number;
  if (std::isalpha(c) || c == '_' || c == '%' || c == '$')
    return Kind::Word;
  return c == '.' ? Kind::Directive : Kind::Other;
}

std::vector<Token> split(const std::string &text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    Kind kind = kindOf(text, at);
    size_t end = at + 1;
    auto goesOn = [&](char c) {
      auto next = static_cast<unsigned char>(c);
      return kind == Kind::Space   ? std::isspace(next) != 0
             : kind == Kind::Other ? false
                                   : std::isalnum(next) || c == '_' || c == '$';
    };
    while (end < text.size() && goesOn(text[end]))
      ++end;
    tokens.push_back({kind, text.substr(at, end - at)});
    at = end;
  }
  return tokens;
}

class PtxTarget final : public Target {
public:
  explicit PtxTarget(const std::vector<std::string> &corpus) {
    for (const std::string &path : corpus) {
      std::ifstream file(path, std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), {}};
      texts.push_back(split(text));
      for (const Token &token : texts.back())
        if (token.kind != Kind::Space)
          known[token.kind].push_back(token.text);
    }
  }

  std::string name() const override { return "ptx"; }
  std::string mutate(Random &random) override;
  std::string run(const std::string &input) override;

private:
  void change(std::vector<Token> &tokens, Random &random);
  void copyRange(std::vector<Token> &tokens, Random &random);
  void nest(std::vector<Token> &tokens, Random &random);
  void chain(std::vector<Token> &tokens, Random &random);
  static void launch(const ptx::Module &module, const ptx::KernelInfo &kernel,
                     Random &random);

  std::vector<std::vector<Token>> texts;
  std::map<Kind, std::vector<std::string>> known;
};

/// Repeats lines, or a few tokens, once or several times.
void PtxTarget::copyRange(std::vector<Token> &tokens, Random &random) {
  size_t begin = random.below(tokens.size());
  size_t length = 1 + random.below(random.once(2) ? 8 : 200);
  length = std::min(length, tokens.size() - begin);
  std::vector<Token> piece(tokens.begin() + static_cast<ptrdiff_t>(begin),
                           tokens.begin() +
                               static_cast<ptrdiff_t>(begin + length));
  size_t times = random.once(8) ? 1 + random.below(20000 / length + 1) : 1;
  std::vector<Token> more;
  for (size_t i = 0; i < times; ++i)
    more.insert(more.end(), piece.begin(), piece.end());
  size_t at = random.once(2) ? begin : random.below(tokens.size() + 1);
  tokens.insert(tokens.begin() + static_cast<ptrdiff_t>(at), more.begin(),
                more.end());
}

void PtxTarget::nest(std::vector<Token> &tokens, Random &random) {
  static constexpr const char *pairs[][2] = {
      {"{", "}"}, {"(", ")"}, {"[", "]"}, {"!", ""}, {"-", ""}};
  const auto &pair = pairs[random.below(std::size(pairs))];
  size_t depth = 1 + random.below(random.once(4) ? 50000 : 6);
  size_t at = random.below(tokens.size());
  std::vector<Token> open(depth, {Kind::Other, pair[0]});
  std::vector<Token> close(*pair[1] ? depth : 0, {Kind::Other, pair[1]});
  tokens.insert(tokens.begin() + static_cast<ptrdiff_t>(at + 1), close.begin(),
                close.end());
  tokens.insert(tokens.begin() + static_cast<ptrdiff_t>(at), open.begin(),
                open.end());
}

/// Adds functions that call one another before the first kernel.
void PtxTarget::chain(std::vector<Token> &tokens, Random &random) {
  size_t functions = 1 + random.below(random.once(4) ? 3000 : 70);
  size_t calls = random.below(4);
  std::string text = "\n.func f0() { ret; }\n";
  for (size_t i = 1; i <= functions; ++i) {
    text += ".func f" + std::to_string(i) + "() {";
    for (size_t call = 0; call < calls; ++call)
      text += " call f" + std::to_string(random.once(50) ? i : i - 1) + ";";
    text += " ret; }\n";
  }
  text += ".visible .entry chained() { call f" + std::to_string(functions) +
          "; ret; }\n";
  for (Token &token : split(text))
    tokens.push_back(std::move(token));
}

void PtxTarget::change(std::vector<Token> &tokens, Random &random) {
  if (tokens.empty())
    return;
  size_t at = random.below(tokens.size());
  // Most of a text is space; the tokens after it matter more.
  if (tokens[at].kind == Kind::Space && at + 1 < tokens.size())
    ++at;
  Token &token = tokens[at];
  switch (random.below(12)) {
  case 0:
  case 1:
  case 2:
  case 3: { // another one of its kind
    if (token.kind == Kind::Number && !random.once(3)) {
      token.text = std::to_string(random.edge());
      return;
    }
    const std::vector<std::string> &others = known[token.kind];
    if (!others.empty())
      token.text = others[random.below(others.size())];
    return;
  }
  case 4:
    tokens.erase(tokens.begin() + static_cast<ptrdiff_t>(at));
    return;
  case 5:
    std::swap(token, tokens[random.below(tokens.size())]);
    return;
  case 6:
  case 7:
    return copyRange(tokens, random);
  case 8: { // a number where one stands
    for (size_t i = 0; i < tokens.size(); ++i) {
      Token &other = tokens[(at + i) % tokens.size()];
      if (other.kind != Kind::Number)
        continue;
      other.text = std::to_string(random.edge());
      return;
    }
    return;
  }
  case 9: { // a piece of another text
    const std::vector<Token> &other = texts[random.below(texts.size())];
    if (other.empty())
      return;
    size_t begin = random.below(other.size());
    size_t length =
        std::min<size_t>(1 + random.below(60), other.size() - begin);
    tokens.insert(tokens.begin() + static_cast<ptrdiff_t>(at),
                  other.begin() + static_cast<ptrdiff_t>(begin),
                  other.begin() + static_cast<ptrdiff_t>(begin + length));
    return;
  }
  case 10:
    return random.once(4) ? chain(tokens, random) : nest(tokens, random);
  default: // a byte
    if (!token.text.empty())
      token.text[random.below(token.text.size())] =
          static_cast<char>(random.below(256));
  }
}

std::string PtxTarget::mutate(Random &random) {
  std::vector<Token> tokens = texts[random.below(texts.size())];
  for (uint64_t i = 1 + random.below(random.once(3) ? 16 : 3); i > 0; --i)
    change(tokens, random);
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

/// With a few kilobytes of memory behind every 8-byte parameter.
void PtxTarget::launch(const ptx::Module &module, const ptx::KernelInfo &kernel,
                       Random &random) {
  constexpr size_t bytes = 4096;
  if (kernel.parameters.size() > 64)
    return;
  std::vector<std::vector<uint64_t>> buffers;
  std::vector<ptx::Written> written;
  written.reserve(kernel.parameters.size());
  std::vector<std::byte> parameters(kernel.parameterBytes);
  ptx::Memory memory;
  bool check = random.once(3);
  for (const ptx::KernelInfo::Parameter &parameter : kernel.parameters) {
    uint64_t value = random.edge();
    if (parameter.size == sizeof(value)) {
      auto &buffer = buffers.emplace_back(bytes / 8, random.edge());
      value = reinterpret_cast<uint64_t>(buffer.data());
      written.emplace_back(buffer.data(), bytes);
      memory.add(buffer.data(), bytes, check ? &written.back() : nullptr);
    }
    std::memcpy(parameters.data() + parameter.offset, &value,
                std::min<size_t>(parameter.size, sizeof(value)));
  }
  ptx::Launch launch;
  launch.kernel = kernel.name;
  launch.grid.x = static_cast<uint32_t>(1 + random.below(4));
  if (random.once(20))
    launch.grid.y = static_cast<uint32_t>(random.edge());
  launch.block.x = static_cast<uint32_t>(1 + random.below(100));
  if (kernel.requiredBlock) {
    auto [x, y, z] = *kernel.requiredBlock;
    launch.block = {x, y, z};
  }
  launch.dynamicSharedBytes = random.once(2) ? 0 : random.below(1 << 14);
  launch.parameters = parameters;
  launch.threads = random.once(8) ? 2 : 1;
  launch.findRaces = check;
  launch.maxInstructions = 1 << 18;
  (void)module.launch(launch, memory);
}

std::string PtxTarget::run(const std::string &input) {
  (void)ptx::audit(input);
  auto module = ptx::Module::parse(input);
  if (!module)
    return "";
  Random random(input.size());
  std::vector<ptx::KernelInfo> kernels = module->kernels();
  for (size_t i = 0; i < std::min<size_t>(kernels.size(), 8); ++i)
    launch(*module, kernels[random.below(kernels.size())], random);
  return "";
}

} // namespace

int main(int count, char **arguments) {
  return runFuzzer<PtxTarget>(count, arguments, "FILE.ptx...");
}
