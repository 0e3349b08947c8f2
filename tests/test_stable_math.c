// SPDX-License-Identifier: MIT
// The transcendental functions against the C library in long double, and their bits against a table: the
// first holds the errors that the header claims, the second that no compiler or processor changes a bit.
#include "common/stable_math.h"

#include <math.h>

#include "tests/check.h"

#define DRAWS 200000
#define PI_LONG 3.14159265358979323846264338327950288L

static double random_between(double low, double high)
{
    return low + (high - low) * check_random_unit();
}

// Spread evenly over the exponents from e^-size to e^size.
static double random_scaled(double size)
{
    return exp(random_between(-size, size));
}

static void widen(double *worst, long double error)
{
    double size = (double)fabsl(error);
    if (!(size <= *worst))
        *worst = size;
}

static void sine_and_cosine_of_degrees_are_within_3e_16(void)
{
    double worst = 0, sine, cosine;
    for (int k = 0; k < DRAWS; k++) {
        double degrees = random_between(-1, 1) * (k % 2 ? 1e6 : 400);
        stable_sincos_deg(degrees, &sine, &cosine);
        long double radians = fmodl((long double)degrees, 360) * PI_LONG / 180;
        widen(&worst, sine - sinl(radians));
        widen(&worst, cosine - cosl(radians));
    }
    CHECK_TEXT(worst > 1e-17 && worst < 3e-16, "%g", worst);
}

static void multiples_of_90_degrees_are_exact_and_zeros_are_plus(void)
{
    static const double sines[4] = {0, 1, 0, -1}, cosines[4] = {1, 0, -1, 0};
    for (int k = -11111; k <= 11111; k++) {
        double sine, cosine;
        int turn = ((k % 4) + 4) % 4;
        stable_sincos_deg(90.0 * k, &sine, &cosine);
        CHECK_TEXT(sine == sines[turn] && cosine == cosines[turn], "%d", 90 * k);
        CHECK(!(sine == 0 && signbit(sine)) && !(cosine == 0 && signbit(cosine)));
    }
}

static void sine_and_cosine_of_radians_are_within_3e_16(void)
{
    double worst = 0, worst_far = 0;
    for (int k = 0; k < DRAWS; k++) {
        double near = random_between(-100, 100), far = random_between(-1e5, 1e5);
        widen(&worst, stable_sin(near) - sinl((long double)near));
        widen(&worst, stable_cos(near) - cosl((long double)near));
        widen(&worst_far, stable_sin(far) - sinl((long double)far));
        widen(&worst_far, stable_cos(far) - cosl((long double)far));
    }
    CHECK_TEXT(worst > 1e-17 && worst < 3e-16, "%g", worst);
    CHECK_TEXT(worst_far < 1e-15, "%g", worst_far);
    CHECK(stable_sin(0.0) == 0.0 && stable_cos(0.0) == 1.0);
}

static void arc_tangent_is_within_4e_16_and_odd(void)
{
    double worst = 0;
    for (int k = 0; k < DRAWS; k++) {
        double x = random_scaled(k % 2 ? 3 : 80);
        long double exact = atanl((long double)x);
        widen(&worst, (stable_atan(x) - exact) / exact);
        CHECK(stable_atan(-x) == -stable_atan(x));
    }
    CHECK_TEXT(worst > 1e-17 && worst < 4e-16, "%g", worst);
    CHECK(stable_atan(HUGE_VAL) == STABLE_PI / 2 && stable_atan(0.0) == 0.0);
}

static void arc_tangent_of_two_is_within_6e_16_in_all_quadrants(void)
{
    double worst = 0;
    int quadrants = 0;
    for (int k = 0; k < DRAWS; k++) {
        double y = random_scaled(20) * (k & 1 ? 1 : -1), x = random_scaled(20) * (k & 2 ? 1 : -1);
        long double exact = atan2l((long double)y, (long double)x);
        widen(&worst, (stable_atan2(y, x) - exact) / exact);
        quadrants |= 1 << (k & 3);
    }
    CHECK(quadrants == 15);
    CHECK_TEXT(worst > 1e-17 && worst < 6e-16, "%g", worst);
    CHECK(stable_atan2(0.0, 0.0) == 0.0 && stable_atan2(0.0, 1.0) == 0.0 && stable_atan2(-0.0, -1.0) == STABLE_PI);
    CHECK(stable_atan2(1.0, 0.0) == STABLE_PI / 2 && stable_atan2(-1.0, 0.0) == -STABLE_PI / 2);
    CHECK(stable_atan2(1.0, 1.0) == STABLE_PI / 4 && stable_atan2(0.0, -1.0) == STABLE_PI);
}

static void exponential_is_within_4e_16_and_clamped(void)
{
    double worst = 0;
    for (int k = 0; k < DRAWS; k++) {
        double x = random_between(-1, 1) * (k % 2 ? 700 : 2);
        long double exact = expl((long double)x);
        widen(&worst, (stable_exp(x) - exact) / exact);
    }
    CHECK_TEXT(worst > 1e-17 && worst < 4e-16, "%g", worst);
    CHECK(stable_exp(0.0) == 1.0 && stable_exp(-701.0) == 0.0 && stable_exp(-HUGE_VAL) == 0.0);
    CHECK(stable_exp(1e9) == stable_exp(700.0) && isfinite(stable_exp(700.0)) && stable_exp(-699.999) > 0.0 &&
          stable_exp(-700.0) == 0.0);
}

static void logarithm_is_within_6e_16(void)
{
    double worst = 0;
    for (int k = 0; k < DRAWS; k++) {
        double x = k % 2 ? random_between(0.5, 2) : random_scaled(700);
        long double exact = logl((long double)x);
        if (exact != 0)
            widen(&worst, (stable_log(x) - exact) / exact);
    }
    CHECK_TEXT(worst > 1e-17 && worst < 6e-16, "%g", worst);
    CHECK(stable_log(1.0) == 0.0 && stable_log(0x1p-1074) < -744.4 && stable_log(0x1p-1074) > -744.5);
    CHECK(stable_log(1.7976931348623157e308) > 709.7 && stable_log(0x1p-1022) < -708.3);
}

static void power_is_within_its_error_and_0_up_to_zero(void)
{
    double worst = 0;
    for (int k = 0; k < DRAWS; k++) {
        double x = random_scaled(k % 2 ? 2 : 100), exponent = random_between(0.001, 6);
        long double exact = powl((long double)x, (long double)exponent);
        double size = 2 + fabs(exponent * log(x));
        widen(&worst, (stable_pow(x, exponent) - exact) / exact / (long double)size);
    }
    CHECK_TEXT(worst > 1e-18 && worst < 4e-16, "%g", worst);
    CHECK(stable_pow(0.0, 0.5) == 0.0 && stable_pow(-2.0, 2.0) == 0.0 && stable_pow(1.0, 7.3) == 1.0);
    CHECK(stable_pow(1e300, 2.0) == stable_exp(700.0));
}

static void fifth_root_is_within_4e_16(void)
{
    double worst = 0;
    for (int k = 0; k < DRAWS; k++) {
        double x = k % 2 ? check_random_unit() + 1e-9 : random_scaled(690);
        long double exact = powl((long double)x, 0.2L);
        widen(&worst, (stable_root5(x) - exact) / exact);
    }
    CHECK_TEXT(worst > 1e-17 && worst < 4e-16, "%g", worst);
    CHECK(stable_root5(0.0) == 0.0 && stable_root5(-1.0) == 0.0 && stable_root5(1.0) == 1.0);
    CHECK(stable_root5(32.0) == 2.0 && stable_root5(1e-300) > 0.0);
}

static double sine_of_degrees(double degrees)
{
    double sine, cosine;
    stable_sincos_deg(degrees, &sine, &cosine);
    return sine;
}

static double power_2_3(double x)
{
    return stable_pow(x, 2.3);
}

static double atan2_of_one(double x)
{
    return stable_atan2(1.0, x);
}

// The bits of 100,000 values in one number.
static uint64_t bits_of(double (*function)(double), double low, double high)
{
    uint64_t hash = CHECK_HASH_START;
    for (int k = 0; k < 100000; k++)
        hash = check_hash(hash, function(low + (high - low) * (k * 1e-5)));
    return hash;
}

static void bits_are_the_same_on_every_machine(void)
{
    static const struct golden {
        const char *name;
        double (*function)(double);
        double low, high;
        uint64_t bits;
    } goldens[] = {
        {"sin deg", sine_of_degrees, -720, 720, UINT64_C(0x48C7ED6B10CA1984)},
        {"sin", stable_sin, -50, 50, UINT64_C(0xE241019F4566445B)},
        {"cos", stable_cos, -50, 50, UINT64_C(0x94793DD442910F56)},
        {"atan", stable_atan, -9, 9, UINT64_C(0x0720D3EDFF8C61BB)},
        {"atan2", atan2_of_one, -9, 9, UINT64_C(0x1E59875E015CB8D9)},
        {"exp", stable_exp, -30, 30, UINT64_C(0xE71C35D8CE819806)},
        {"log", stable_log, 1e-3, 40, UINT64_C(0x1BCB69352F2060C2)},
        {"pow", power_2_3, -1, 40, UINT64_C(0x6E600B19B64BF659)},
        {"root5", stable_root5, 0, 2, UINT64_C(0x2FDE3C1C9AA221ED)},
    };
    for (size_t k = 0; k < sizeof goldens / sizeof goldens[0]; k++) {
        uint64_t bits = bits_of(goldens[k].function, goldens[k].low, goldens[k].high);
        CHECK_TEXT(bits == goldens[k].bits, "%s: 0x%016llX", goldens[k].name, (unsigned long long)bits);
    }
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN_WITHOUT_VALGRIND(sine_and_cosine_of_degrees_are_within_3e_16, WHY_LONG_DOUBLE);
    CHECK_RUN(multiples_of_90_degrees_are_exact_and_zeros_are_plus);
    CHECK_RUN(sine_and_cosine_of_radians_are_within_3e_16);
    CHECK_RUN(arc_tangent_is_within_4e_16_and_odd);
    CHECK_RUN(arc_tangent_of_two_is_within_6e_16_in_all_quadrants);
    CHECK_RUN(exponential_is_within_4e_16_and_clamped);
    CHECK_RUN(logarithm_is_within_6e_16);
    CHECK_RUN(power_is_within_its_error_and_0_up_to_zero);
    CHECK_RUN_WITHOUT_VALGRIND(fifth_root_is_within_4e_16, WHY_LONG_DOUBLE);
    CHECK_RUN(bits_are_the_same_on_every_machine);
    return CHECK_END;
}
