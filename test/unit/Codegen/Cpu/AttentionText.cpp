#include "AttentionText.h"

namespace gensyn::cpu::testing {

int64_t Attention::extent(char letter) const {
  return letter == 'h'   ? heads
         : letter == 'q' ? queries
         : letter == 'k' ? keys
         : letter == 'd' ? dims
                         : values;
}
std::string Attention::type(const std::string &letters,
                            const std::string &element) const {
  std::string text = "tensor<";
  for (char letter : letters)
    text += std::to_string(extent(letter)) + "x";
  return text + element + ">";
}
std::string Attention::contract(const std::string &name, const std::string &lhs,
                                const std::string &lhsAxes,
                                const std::string &rhs,
                                const std::string &rhsAxes,
                                const std::string &axes, char reduced,
                                const std::string &order) const {
  const std::string all = axes + reduced;
  std::string extents, dims;
  for (size_t i = 0; i < all.size(); ++i) {
    extents += (i ? ", " : "") + std::to_string(extent(all[i]));
    dims += (i ? ", d" : "d") + std::to_string(i);
  }
  auto map = [&](const std::string &letters) {
    std::string text = "affine_map<(" + dims + ") -> (";
    for (size_t i = 0; i < letters.size(); ++i)
      text += (i ? ", d" : "d") + std::to_string(all.find(letters[i]));
    return text + ")>";
  };
  return "%" + name + " = repro.contract %" + lhs + ", %" + rhs + " domain <[" +
         extents + "], reduce [" + std::to_string(all.size() - 1) +
         "]> maps [" + map(lhsAxes) + ", " + map(rhsAxes) + ", " + map(axes) +
         "] bounds [in, in] order " + order + " : " + type(lhsAxes) + ", " +
         type(rhsAxes) + " -> " + type(axes) + "\n";
}
std::string Attention::reduce(const std::string &name, const std::string &kind,
                              const std::string &operand) const {
  return "%" + name + " = repro.reduce " + kind + " %" + operand +
         " domain <[" + std::to_string(heads) + ", " + std::to_string(queries) +
         ", " + std::to_string(keys) +
         "], reduce [2]> maps [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, "
         "affine_map<(d0, d1, d2) -> (d0, d1)>]" +
         (kind == "sum" ? " order " + rowOrder : "") + " : " + type("hqk") +
         " -> " + type("hq") + "\n";
}
std::string Attention::binary(const std::string &name, const std::string &op,
                              const std::string &x,
                              const std::string &y) const {
  return "%" + name + " = repro." + op + " %" + x + ", %" + y + " : " +
         type("hqk") + "\n";
}
std::string Attention::wide(const std::string &name,
                            const std::string &row) const {
  return "%" + name + " = repro.broadcast %" + row +
         " dims [0, 1] : " + type("hq") + " to " + type("hqk") + "\n";
}

std::string Attention::text() const {
  std::string body = contract("s0", "q", q, "k", k, "hqk", 'd', scoreOrder);
  std::string score = "s0";
  if (hasBias) {
    body += "%wb = repro.broadcast %bias dims [1, 2] : " + type("qk") + " to " +
            type("hqk") + "\n" + binary("s1", "add", score, "wb");
    score = "s1";
  }
  if (isCausal || addsMask) {
    const std::string i64 = type("qk", "i64"), i1 = type("qk", "i1");
    body += "%i = repro.iota dim 0 : " + i64 +
            "\n%j = repro.iota dim 1 : " + i64 +
            "\n%later = repro.compare gt %j, %i : " + i64 + "\n";
  }
  if (isCausal) {
    body += "%c = repro.constant dense<" + hidden +
            "> : tensor<f32>\n"
            "%never = repro.broadcast %c dims [] : tensor<f32> to " +
            type("hqk") + "\n%hide = repro.broadcast %later dims [1, 2] : " +
            type("qk", "i1") + " to " + type("hqk", "i1") +
            "\n%s2 = repro.select %hide, %never, %" + score + " : " +
            type("hqk") + "\n";
    score = "s2";
  }
  if (addsMask) {
    body += "%zero = repro.constant dense<0.0> : " + type("qk") +
            "\n%least = repro.constant dense<0xFF7FFFFF> : " + type("qk") +
            "\n%mask = repro.select %later, %least, %zero : " + type("qk") +
            "\n%wmask = repro.broadcast %mask dims [1, 2] : " + type("qk") +
            " to " + type("hqk") + "\n" + binary("s3", "add", score, "wmask");
    score = "s3";
  }
  body += reduce("m", "max", score) + wide("wm", "m") +
          binary("z", "sub", score, "wm") +
          "%e = repro.exp %z : " + type("hqk") + "\n" +
          reduce("l", "sum", "e") + wide("wl", "l") +
          binary("p", "div", "e", "wl") +
          contract("y", "p", "hqk", "v", v, y, 'k', keyOrder);
  std::string results = "%y", types = type(y);
  if (hasBackward) {
    // The gradient depends on the result, as after a loss.
    body += "%dy = repro.mul %y, %g : " + type(y) + "\n" +
            contract("dp", "dy", y, "v", v, "hqk", 'v', "sequential") +
            contract("dv", "p", "hqk", "dy", y, v, 'q', queryOrder) +
            binary("t", "mul", "dp", "p") + reduce("r", "sum", "t") +
            wide("wr", "r") + binary("u", "sub", "dp", "wr") +
            binary("ds", "mul", "u", "p") +
            contract("dq", "ds", "hqk", "k", k, q, 'k', keyOrder) +
            contract("dk", "q", q, "ds", "hqk", k, 'q', queryOrder);
    results += ", %dq, %dk, %dv";
    types += ", " + type(q) + ", " + type(k) + ", " + type(v);
  }
  return "func.func @f(%q: " + type(q) + ", %k: " + type(k) +
         ", %v: " + type(v) + (hasBias ? ", %bias: " + type("qk") : "") +
         (hasBackward ? ", %g: " + type(y) : "") + ") -> (" + types + ") {\n" +
         body + "return " + results + " : " + types + "\n}";
}

} // namespace gensyn::cpu::testing
