// What unit tests without MLIR include of other projects; see GensynTargets.cmake.
#pragma once

#include "PrecompiledStandard.h"

#include <gtest/gtest.h>
