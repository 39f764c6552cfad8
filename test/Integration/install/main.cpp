// Uses the installed headers and libraries: an order, and a digest.

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Numerics/Order.h"

#include <iostream>

int main() {
  auto order = gensyn::Order::parse("blocked<1024, lanes<32>, sequential>");
  std::string text = order ? order->print() : "no order";
  std::cout << text << "\n"
            << gensyn::hashHex(text.data(), text.size()) << "\n";
}
