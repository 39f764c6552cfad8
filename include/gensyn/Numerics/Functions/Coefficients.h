// Polynomials of the functions: binary64 coefficients, lowest power first, from
// Sollya's fpminimax (which minimises the error over such coefficients, so the
// exponents of the errors below are the polynomials' own).

#ifndef GENSYN_NUMERICS_FUNCTIONS_COEFFICIENTS_H
#define GENSYN_NUMERICS_FUNCTIONS_COEFFICIENTS_H

#include <cstdint>

namespace gensyn::functions {

/// expm1(r) = r + r^2 P(r); relative error 2^-55.5.
inline constexpr double kExp[] = {0x1.0000000000005p-1,  0x1.555555555553bp-3,
                                  0x1.55555555520f2p-5,  0x1.1111111118835p-7,
                                  0x1.6c16c17f39403p-10, 0x1.a01a0177f7b9dp-13,
                                  0x1.a019a67bc9dep-16,  0x1.71de80e089a1bp-19,
                                  0x1.28a2ba120da1bp-22, 0x1.ae77f61ebdd64p-26};

/// The same for |r| <= ln2/32, by the Remez algorithm and rounded; error
/// 2^-56.2.
inline constexpr double kExpNear[] = {
    0x1.fffffffffffb9p-2, 0x1.555555548fcc8p-3, 0x1.55555558fb765p-5,
    0x1.11123a7ba8a61p-7, 0x1.6c14c7348c446p-10};

/// tanh(r/2) = r (1/2 + r^2 P(r^2)) for |r| <= ln2/2; relative error 2^-56.9.
inline constexpr double kHalfTanh[] = {
    -0x1.5555555555479p-5, 0x1.11111110d7aa0p-8,   -0x1.ba1ba106aab53p-12,
    0x1.664ec2d383116p-15, -0x1.223afd7b5f36cp-18, 0x1.c347dc056df29p-22};

/// The same for |r| <= ln2/32, by the Remez algorithm and rounded; the error of
/// tanh(r/2) is 2^-55.2.
inline constexpr double kHalfTanhNear[] = {-0x1.5555554ec41dep-5,
                                           0x1.110c2042f427bp-8};

/// The bits of 2^(j/16), less j in bit 48: adding 16 k + j there multiplies by
/// 2^k. The first is greater than 1 by one unit: the sigmoid of one input lands
/// on a tie of f32 else, and to the wrong side.
inline constexpr uint64_t kPowers[16] = {
    0x3ff0000000000001, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b,
    0x3fef387a6e756238, 0x3fef06fe0a31b715, 0x3feedea64c123422,
    0x3feebfdad5362a27, 0x3feeab07dd485429, 0x3feea09e667f3bcd,
    0x3feea11473eb0187, 0x3feeace5422aa0db, 0x3feec49182a3f090,
    0x3feee89f995ad3ad, 0x3fef199bdd85529c, 0x3fef5818dcfba487,
    0x3fefa4afa2a490da};

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

/// sin(2 pi u) = u P(u^2), |u| <= 1/4; relative error 2^-54.5. The lowest
/// coefficient is a few ulps off the best, so that cos has no exceptions.
inline constexpr double kSinTurn[] = {
    0x1.921fb54442d18p+2,  -0x1.4abbce625be3ap+5, 0x1.466bc67759fccp+6,
    -0x1.32d2cce5e6699p+6, 0x1.5078346ab756fp5,   -0x1.e30741a6ba9a9p3,
    0x1.e8f023f73b667p1,   -0x1.6f0536efcb81ap-1, 0x1.8f9e5a093e411p-4};

/// sin(pi u) = u P(u^2), |u| <= 1/4; relative error 2^-54.5.
inline constexpr double kTanSin[] = {
    0x1.921fb54442d18p1,   -0x1.4abbce625be01p2, 0x1.466bc67753d55p1,
    -0x1.32d2ccde1222cp-1, 0x1.50782aae65ef5p-4, -0x1.e2fa787f26ca1p-8,
    0x1.e06afd5586ee7p-12, 0x1.add9d42419c1fp-17};

/// cos(pi u) = 1 + u^2 P(u^2), |u| <= 1/4; relative error 2^-61.125.
inline constexpr double kTanCos[] = {
    -0x1.3bd3cc9be45dep2,  0x1.03c1f081b5a67p2,   -0x1.55d3c7e3c325cp0,
    0x1.e1f5067b90e22p-3,  -0x1.a6d1e7297d362p-6, 0x1.f9c89cce8e2d6p-10,
    -0x1.b1673f09c707fp-14};

/// 1 / (2 pi) in chunks of 28 bits, the highest first: an f32 times one of them
/// is exact in f64.
inline constexpr double kTurn[] = {
    0x1.45f3068000000p-3,   0x1.727220a000000p-29,  0x1.29fc274000000p-58,
    0x1.7d1f534000000p-86,  0x1.bb81b68000000p-115, 0x1.14acc9e000000p-141,
    0x1.0e41070000000p-172, 0x1.f28b1d4000000p-197, 0x1.ef5de2a000000p-225};

/// atan(r) = r + r^3 P(r^2), |r| <= tan(pi/8); relative error 2^-59.4375.
inline constexpr double kAtan[] = {
    -0x1.555555555553dp-2, 0x1.999999999586dp-3,  -0x1.24924922ad6edp-3,
    0x1.c71c70e613401p-4,  -0x1.745cf8dcacc2bp-4, 0x1.3b11191f75b15p-4,
    -0x1.10ebb86a77536p-4, 0x1.df0f4dc52ce51p-5,  -0x1.9cd2cc3ba1b33p-5,
    0x1.37d5d6cdc6bcep-5,  -0x1.256ae1c6bf306p-6};

/// asin(r) = r + r^3 P(r^2), |r| <= 1/2; relative error 2^-55.875.
inline constexpr double kAsin[] = {
    0x1.555555555539p-3,  0x1.333333336e80fp-4,  0x1.6db6db427a4f8p-5,
    0x1.f1c72c38fb343p-6, 0x1.6e89f44019769p-6,  0x1.1c6be1a687d83p-6,
    0x1.c6fdc1aa99fb6p-7, 0x1.8ec2fca664948p-7,  0x1.abcf5cd3c582p-8,
    0x1.3ff4a993e8f23p-6, -0x1.09d328395e2acp-6, 0x1.056d6c8369ac4p-5};

/// sinh(r) = r + r^3 P(r^2), |r| <= ln2/2; relative error 2^-61.6875.
inline constexpr double kSinh[] = {0x1.5555555555559p-3, 0x1.111111110f64dp-7,
                                   0x1.a01a01b008c28p-13, 0x1.71ddf7fdf5b1ap-19,
                                   0x1.af5f50be71867p-26};

/// cosh(r) = 1 + r^2 P(r^2), |r| <= ln2/2; relative error 2^-58.
inline constexpr double kCosh[] = {0x1.000000000000bp-1, 0x1.5555555550247p-5,
                                   0x1.6c16c18548714p-10, 0x1.a019976bf7581p-16,
                                   0x1.28af9d90d0d18p-22};

/// atanh(s) = s + s^3 P(s^2); relative error 2^-59.5 for |s| <= 0.172, 2^-56
/// for |s| <= 0.201.
inline constexpr double kAtanh[] = {0x1.5555555555592p-2, 0x1.999999997ff58p-3,
                                    0x1.24924941dc60dp-3, 0x1.c71c5218e11f3p-4,
                                    0x1.74663bf27dd96p-4, 0x1.39a2024d17be4p-4,
                                    0x1.2f02bc1b3b88ap-4};

} // namespace gensyn::functions

#endif // GENSYN_NUMERICS_FUNCTIONS_COEFFICIENTS_H
