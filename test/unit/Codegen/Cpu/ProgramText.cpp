#include "ProgramText.h"

namespace gensyn::cpu::testing {

std::string tensorOf(llvm::ArrayRef<int64_t> shape,
                     const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

std::string listOf(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

std::string mapsOf(int rank, llvm::ArrayRef<const char *> results) {
  std::string dims, text;
  for (int i = 0; i < rank; ++i)
    dims += (i ? ", d" : "d") + std::to_string(i);
  for (const char *result : results)
    text += (text.empty() ? "affine_map<(" : ", affine_map<(") + dims +
            ") -> (" + result + ")>";
  return " maps [" + text + "]";
}

std::string ContractCase::text() const {
  return "func.func @f(%a: " + lhs + ", %b: " + rhs + ") -> " + result +
         " {\n  %c = repro.contract %a, %b " + form + " : " + lhs + ", " + rhs +
         " -> " + result + "\n  return %c : " + result + "\n}\n";
}

ContractCase matmul(const char *name, int64_t m, int64_t n, int64_t k, bool ta,
                    bool tb, const std::string &order,
                    const std::string &element, const std::string &other,
                    const std::string &result) {
  return {name, ta ? tensorOf({k, m}, element) : tensorOf({m, k}, element),
          tb ? tensorOf({n, k}, other) : tensorOf({k, n}, other),
          tensorOf({m, n}, result),
          "domain <" + listOf({m, n, k}) + ", reduce [2]>" +
              mapsOf(3, {ta ? "d2, d0" : "d0, d2", tb ? "d1, d2" : "d2, d1",
                         "d0, d1"}) +
              " bounds [in, in]" + (order.empty() ? "" : " order " + order)};
}

std::vector<ContractCase> contractForms() {
  std::vector<ContractCase> all;
  all.push_back({"transposed result", tensorOf({9, 14}), tensorOf({14, 20}),
                 tensorOf({20, 9}),
                 "domain <[9, 20, 14], reduce [2]>" +
                     mapsOf(3, {"d0, d2", "d2, d1", "d1, d0"}) +
                     " bounds [in, in] order sequential"});
  // Every second pixel: rows of a product have two strides in the result.
  all.push_back({"pixels and phases", tensorOf({5, 6, 9}),
                 tensorOf({9, 2, 2, 20}), tensorOf({10, 12, 20}),
                 "domain <[5, 2, 6, 2, 20, 9], reduce [5]>" +
                     mapsOf(6, {"d0, d2, d5", "d5, d1, d3, d4",
                                "2 * d0 + d1, 2 * d2 + d3, d4"}) +
                     " bounds [in, in] order sequential"});
  all.push_back({"dot", tensorOf({50}), tensorOf({50}), "tensor<f32>",
                 "domain <[50], reduce [0]>" + mapsOf(1, {"d0", "d0", ""}) +
                     " bounds [in, in] order sequential"});
  all.push_back({"one product", "tensor<f32>", "tensor<f32>", "tensor<f32>",
                 "domain <[], reduce []>" + mapsOf(0, {"", "", ""}) +
                     " bounds [in, in] order sequential"});
  all.push_back(
      {"heads", tensorOf({2, 7, 3, 16}), tensorOf({2, 19, 3, 16}),
       tensorOf({2, 3, 7, 19}),
       "domain <[2, 3, 7, 19, 16], reduce [4]>" +
           mapsOf(5, {"d0, d2, d1, d4", "d0, d3, d1, d4", "d0, d1, d2, d3"}) +
           " bounds [in, in] order sequential"});
  all.push_back({"conv", tensorOf({3, 5, 9, 11}), tensorOf({7, 5, 3, 3}),
                 tensorOf({3, 7, 9, 11}),
                 "domain <[3, 7, 9, 11, 5, 3, 3], reduce [4, 5, 6]>" +
                     mapsOf(7, {"d0, d4, d2 + d5 - 1, d3 + d6 - 1",
                                "d1, d4, d5, d6", "d0, d1, d2, d3"}) +
                     " bounds [zero, in] order blocked<18, sequential, "
                     "sequential>"});
  all.push_back({"data gradient", tensorOf({2, 4, 7, 7}),
                 tensorOf({4, 3, 3, 3}), tensorOf({2, 3, 7, 7}),
                 "domain <[2, 3, 7, 7, 4, 3, 3], reduce [4, 5, 6]>" +
                     mapsOf(7, {"d0, d4, d2 - d5 + 1, d3 - d6 + 1",
                                "d4, d1, d5, d6", "d0, d1, d2, d3"}) +
                     " bounds [zero, in] order sequential"});
  all.push_back(
      {"weight gradient", tensorOf({2, 4, 7, 7}), tensorOf({2, 3, 7, 7}),
       tensorOf({4, 3, 3, 3}),
       "domain <[4, 3, 3, 3, 2, 7, 7], reduce [4, 5, 6]>" +
           mapsOf(7, {"d4, d0, d5, d6", "d4, d1, d5 + d2 - 1, d6 + d3 - 1",
                      "d0, d1, d2, d3"}) +
           " bounds [in, zero] order blocked<16, sequential, sequential>"});
  all.push_back({"depthwise", tensorOf({2, 3, 6, 17}), tensorOf({3, 3, 3}),
                 tensorOf({2, 3, 6, 17}),
                 "domain <[2, 3, 6, 17, 3, 3], reduce [4, 5]>" +
                     mapsOf(6, {"d0, d1, d2 + d4 - 1, d3 + d5 - 1",
                                "d1, d4, d5", "d0, d1, d2, d3"}) +
                     " bounds [zero, in] order sequential"});
  return all;
}

std::vector<ContractCase> convolutionsOfSmallImages() {
  const std::string result = "d0, d1, d2, d3";
  auto image = [](int64_t images, int64_t channels, int64_t size) {
    return tensorOf({images, channels, size, size});
  };
  auto of = [&](const char *name, int64_t images, int64_t stride, int64_t taps,
                const char *order) {
    auto text = [](int64_t number) { return std::to_string(number); };
    auto place = [&](int64_t d) {
      return text(stride) + " * d" + text(d) + " + d" + text(d + 3) + " - " +
             text(taps / 2);
    };
    const std::string window = "d0, d4, " + place(2) + ", " + place(3);
    return ContractCase{
        name, image(images, 8, 5 * stride), tensorOf({70, 8, taps, taps}),
        image(images, 70, 5),
        "domain <[" + text(images) + ", 70, 5, 5, 8, " + text(taps) + ", " +
            text(taps) + "], reduce [4, 5, 6]>" +
            mapsOf(7, {window.c_str(), "d1, d4, d5, d6", result.c_str()}) +
            " bounds [zero, in] order " + order};
  };
  return {of("images 1x1", 3, 1, 1, "sequential"),
          of("images 1x1 with stride", 2, 2, 1, "sequential"),
          of("images 3x3", 3, 1, 3, "blocked<66, sequential, sequential>"),
          of("images 3x3 with stride", 4, 2, 3,
             "blocked<66, sequential, sequential>"),
          of("images 3x3 in short blocks", 3, 3, 3,
             "blocked<9, sequential, sequential>")};
}

size_t countOf(const std::string &text, const std::string &what) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

} // namespace gensyn::cpu::testing
