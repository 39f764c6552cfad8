// Polynomials of the functions: binary64 coefficients, lowest power first, from
// Sollya's fpminimax (which minimises the error over such coefficients, so the
// exponents of the errors below are the polynomials' own).

#ifndef GENSYN_NUMERICS_FUNCTIONS_COEFFICIENTS_H
#define GENSYN_NUMERICS_FUNCTIONS_COEFFICIENTS_H

namespace gensyn::functions {

/// expm1(r) = r + r^2 P(r); relative error 2^-55.5.
inline constexpr double kExp[] = {0x1.0000000000005p-1,  0x1.555555555553bp-3,
                                  0x1.55555555520f2p-5,  0x1.1111111118835p-7,
                                  0x1.6c16c17f39403p-10, 0x1.a01a0177f7b9dp-13,
                                  0x1.a019a67bc9dep-16,  0x1.71de80e089a1bp-19,
                                  0x1.28a2ba120da1bp-22, 0x1.ae77f61ebdd64p-26};

/// log(1+f) = f + f^2 P(f); relative error 2^-54.125.
inline constexpr double kLog[] = {
    -0x1.ffffffffffffbp-2, 0x1.55555555551a6p-2,  -0x1.00000000008f4p-2,
    0x1.9999999a32c74p-3,  -0x1.555555552e9afp-3, 0x1.249248e059dedp-3,
    -0x1.ffffff8c91299p-4, 0x1.c71c8f0f9dd84p-4,  -0x1.9999ca3c3c885p-4,
    0x1.7459ac71782c2p-4,  -0x1.554d276427081p-4, 0x1.3b4c5fc01976bp-4,
    -0x1.2548a57751e09p-4, 0x1.0f38391c0a7c1p-4,  -0x1.eee4ad0f59769p-5,
    0x1.e95efd839bd73p-5,  -0x1.15ff590b601b7p-4, 0x1.030ce6e92164bp-4,
    -0x1.cf95599b54164p-6};

/// erf(x) = x P(x^2/7.75-1); relative error 2^-54.625.
inline constexpr double kErf[] = {
    0x1.6fcd22af732cp-2,    -0x1.6f4db908365acp-3,  0x1.118c915e1d1e6p-3,
    -0x1.bdf35f034986cp-4,  0x1.72e6907954213p-4,   -0x1.2fe2cf80050abp-4,
    0x1.dfd1af39893fdp-5,   -0x1.67f557e8d22cbp-5,  0x1.fd186996c38e8p-6,
    -0x1.520465394a945p-6,  0x1.a4e6737cb51ecp-7,   -0x1.eba8c217000ecp-8,
    0x1.0dc09f6168ef2p-8,   -0x1.1699626b6e959p-9,  0x1.0f69b2eaf1d7fp-10,
    -0x1.f3f5b3a4afa92p-12, 0x1.b45273ce76aeep-13,  -0x1.69a9249082e6ap-14,
    0x1.1d711e961122bp-15,  -0x1.ad4a1f02a4153p-17, 0x1.330bc7fb1d8c2p-18,
    -0x1.a79011da21b0dp-20, 0x1.21502ace2566cp-21,  -0x1.69573f961129ep-23,
    0x1.618bd1cb557c8p-25,  -0x1.ba7d018631192p-27, 0x1.d88123b84e173p-28,
    -0x1.e2aec39fbe0d5p-30};

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_COEFFICIENTS_H
