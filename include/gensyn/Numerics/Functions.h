// The functions, each described once over an arithmetic policy: those of one
// f32, correctly rounded, which Functions.def lists; pow; and some of an f64.
// See docs/Numerics.md, function_r1, pow_r1, function_r2, function_r3.

#ifndef GENSYN_NUMERICS_FUNCTIONS_H
#define GENSYN_NUMERICS_FUNCTIONS_H

#include "gensyn/Numerics/Functions/ArcHyperbolic.h"
#include "gensyn/Numerics/Functions/ArcTrig.h"
#include "gensyn/Numerics/Functions/Erf.h"
#include "gensyn/Numerics/Functions/ErfF64.h"
#include "gensyn/Numerics/Functions/Exp.h"
#include "gensyn/Numerics/Functions/ExpF64.h"
#include "gensyn/Numerics/Functions/Hyperbolic.h"
#include "gensyn/Numerics/Functions/HyperbolicF64.h"
#include "gensyn/Numerics/Functions/Log.h"
#include "gensyn/Numerics/Functions/LogF64.h"
#include "gensyn/Numerics/Functions/Pow.h"
#include "gensyn/Numerics/Functions/Trig.h"

#endif // GENSYN_NUMERICS_FUNCTIONS_H
