// A machine file to change in tests: a mesh of four cores, and a memory.
#ifndef GENSYN_TEST_UNIT_MACHINE_DESCRIPTION_TINYMACHINE_H
#define GENSYN_TEST_UNIT_MACHINE_DESCRIPTION_TINYMACHINE_H

#include "gensyn/Machine/Description.h"

#include <gtest/gtest.h>

#include <string>

namespace gensyn::machine {

inline const std::string &tinyText() {
  static const std::string text = R"json({
  "name": "tiny",
  "about": "four cores",
  "sources": {
    "sheet": {"kind": "datasheet", "title": "a data sheet", "where": "page 1"},
    "guess": {"kind": "assumed", "title": "nobody knows"}
  },
  "clocks": [
    {"name": "fast", "frequency": {"value": 300, "unit": "MHz", "source": "sheet", "low": 150, "high": 300}}
  ],
  "memories": [
    {"name": "local",
      "size": {"value": 64, "unit": "KiB", "source": "sheet"},
      "reserved": {"value": 1, "unit": "KiB", "source": "sheet"},
      "read_energy": {"value": 0.5, "unit": "pJ/B", "source": "guess", "low": 0.25, "high": 1},
      "write_energy": {"value": 1, "unit": "pJ/bit", "source": "sheet"},
      "standby": {"value": 0, "unit": "uW", "source": "sheet"}},
    {"name": "big", "ports": [[1, 1]], "addressable": true,
      "size": {"value": 1, "unit": "GiB", "source": "sheet"},
      "reserved": {"value": 0, "unit": "B", "source": "sheet"},
      "bandwidth": {"value": 6.4, "unit": "GB/s", "source": "sheet"},
      "latency": {"value": 100, "unit": "ns", "source": "sheet"},
      "burst": {"value": 32, "unit": "B", "source": "sheet"},
      "read_energy": {"value": 60, "unit": "pJ/B", "source": "sheet"},
      "write_energy": {"value": 60, "unit": "pJ/B", "source": "sheet"},
      "standby": {"value": 1, "unit": "mW", "source": "sheet"}}
  ],
  "units": [
    {"name": "cpu", "clock": "fast",
      "start": {"value": 20, "unit": "cycles", "source": "sheet"},
      "rates": [
        {"operation": "multiply_add", "types": ["i8"], "step": [4, 16, 1],
          "accumulator": {"value": 29, "unit": "bits", "source": "sheet"},
          "cycles": {"value": 1, "unit": "cycles", "source": "sheet"},
          "energy": {"value": 100, "unit": "fJ", "source": "sheet"}},
        {"operation": "multiply_add",
          "cycles": {"value": 3, "unit": "cycles", "source": "sheet"},
          "energy": {"value": 18, "unit": "pJ", "source": "sheet"}},
        {"operation": "float",
          "cycles": {"value": 0.5, "unit": "cycles", "source": "sheet"},
          "energy": {"value": 6, "unit": "pJ", "source": "sheet"}},
        {"operation": "integer",
          "cycles": {"value": 1, "unit": "cycles", "source": "sheet"},
          "energy": {"value": 6, "unit": "pJ", "source": "sheet"}},
        {"operation": "load",
          "cycles": {"value": 2, "unit": "cycles", "source": "sheet"},
          "energy": {"value": 12, "unit": "pJ", "source": "sheet"}},
        {"operation": "store",
          "cycles": {"value": 2, "unit": "cycles", "source": "sheet"},
          "energy": {"value": 12, "unit": "pJ", "source": "sheet"}}
      ]}
  ],
  "engines": [
    {"name": "dma", "clock": "fast",
      "start": {"value": 40, "unit": "cycles", "source": "sheet"},
      "row": {"value": 4, "unit": "cycles", "source": "sheet"},
      "bandwidth": {"value": 16, "unit": "B/cycle", "source": "sheet"}}
  ],
  "core_kinds": [
    {"name": "core", "memory": "local", "units": ["cpu"], "engine": "dma",
      "issue": {"value": 100, "unit": "cycles", "source": "sheet"},
      "idle": {"value": 200, "unit": "uW", "source": "sheet"}}
  ],
  "network": {
    "nodes": [{"from": [0, 0], "size": [2, 2]}],
    "links": [
      {"kind": "mesh",
        "bandwidth": {"value": 4.8, "unit": "GB/s", "source": "sheet"},
        "latency": {"value": 10, "unit": "ns", "source": "sheet"},
        "energy": {"value": 0.5, "unit": "pJ/B", "source": "sheet"}}
    ],
    "packet": {"value": 256, "unit": "B", "source": "sheet"},
    "signal": {"value": 50, "unit": "ns", "source": "sheet"},
    "signal_energy": {"value": 10, "unit": "pJ", "source": "sheet"}
  },
  "cores": [
    {"kind": "core", "at": [{"from": [0, 0], "size": [2, 2]}]}
  ]
}
)json";
  return text;
}

/// The text with one part, which it must have, replaced where it comes first.
inline std::string tinyWith(const std::string &part,
                            const std::string &replacement) {
  std::string text = tinyText();
  const size_t begin = text.find(part);
  EXPECT_NE(begin, std::string::npos) << part;
  if (begin != std::string::npos)
    text.replace(begin, part.size(), replacement);
  return text;
}

inline Description parseTiny(const std::string &text) {
  return parseDescription(text, "tiny.json");
}

} // namespace gensyn::machine

#endif
