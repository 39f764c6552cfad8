// The correctly rounded f32 functions, each described once over an arithmetic
// policy; Functions.def lists them. See docs/Numerics.md, function_r1.

#ifndef GENSYN_NUMERICS_FUNCTIONS_H
#define GENSYN_NUMERICS_FUNCTIONS_H

#include "gensyn/Numerics/Functions/ArcHyperbolic.h"
#include "gensyn/Numerics/Functions/ArcTrig.h"
#include "gensyn/Numerics/Functions/Erf.h"
#include "gensyn/Numerics/Functions/Exp.h"
#include "gensyn/Numerics/Functions/Hyperbolic.h"
#include "gensyn/Numerics/Functions/Log.h"
#include "gensyn/Numerics/Functions/Trig.h"

#endif // GENSYN_NUMERICS_FUNCTIONS_H
