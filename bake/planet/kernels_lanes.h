// SPDX-License-Identifier: MIT
// Vectors as wide as the processor's registers, for loops that mix double and float better than compilers do (gcc's and
// clang's vector extensions). Part of kernels_template.c.
#ifndef TERRANE_BAKE_PLANET_KERNELS_LANES_H
#define TERRANE_BAKE_PLANET_KERNELS_LANES_H

#include "bake/planet/kernels_common.h"

// Lanes of float in a register, and the words at k, k + 2, k + 4 .. of two of them.
#if defined(__AVX512F__)
#define LANES 16
#define EVERY_SECOND(a, b, k)                                                                                          \
    __builtin_shufflevector(a, b, (k), (k) + 2, (k) + 4, (k) + 6, (k) + 8, (k) + 10, (k) + 12, (k) + 14, (k) + 16,     \
                            (k) + 18, (k) + 20, (k) + 22, (k) + 24, (k) + 26, (k) + 28, (k) + 30)
#elif defined(__AVX2__)
#define LANES 8
// Within each half of the register, which is one instruction: see struct doubles.
#define EVERY_SECOND(a, b, k)                                                                                          \
    __builtin_shufflevector(a, b, (k), (k) + 2, (k) + 8, (k) + 10, (k) + 4, (k) + 6, (k) + 12, (k) + 14)
#else
#define LANES 4
#define EVERY_SECOND(a, b, k) __builtin_shufflevector(a, b, (k), (k) + 2, (k) + 4, (k) + 6)
#endif

#define VECTOR(type, count) __attribute__((vector_size((count) * sizeof(type)))) type
#define FLOATS VECTOR(float, LANES)
#define DOUBLES VECTOR(double, LANES / 2)

// The place of the low word in a double.
#define LOW_WORD (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 1)

// LANES doubles, in such an order that LOW_WORDS and HIGH_WORDS of them are in the order of the samples.
struct doubles {
    DOUBLES first, second;
};

// As floats, which are shuffled with fewer instructions than integers.
#define LOW_WORDS(d) EVERY_SECOND((FLOATS)(d).first, (FLOATS)(d).second, LOW_WORD)
#define HIGH_WORDS(d) EVERY_SECOND((FLOATS)(d).first, (FLOATS)(d).second, 1 - LOW_WORD)

INLINE struct doubles load_ordered(const double *from)
{
    struct doubles d;
    memcpy(&d.first, from, sizeof d.first);
    memcpy(&d.second, from + LANES / 2, sizeof d.second);
    return d;
}

// first and second in the order of the samples, to the order above: of eight, first gets numbers 0, 1, 4 and 5.
INLINE void store_ordered(double *to, DOUBLES first, DOUBLES second)
{
#if LANES == 8
    DOUBLES all = first;
    first = __builtin_shufflevector(all, second, 0, 1, 4, 5);
    second = __builtin_shufflevector(all, second, 2, 3, 6, 7);
#endif
    memcpy(to, &first, sizeof first);
    memcpy(to + LANES / 2, &second, sizeof second);
}

// The doubles of samples i, i + 1 and so on, from where all are in that order; i is a multiple of LANES / 2.
INLINE DOUBLES load_samples(const double *all, int i)
{
    DOUBLES d;
#if LANES == 8
    VECTOR(double, 2) low, high;
    const double *from = all + (i & ~7) + (i & 4) / 2;
    memcpy(&low, from, sizeof low);
    memcpy(&high, from + 4, sizeof high);
    d = __builtin_shufflevector(low, high, 0, 1, 2, 3);
#else
    memcpy(&d, all + i, sizeof d);
#endif
    return d;
}

// sum += x, each number by itself.
INLINE void add_to_doubles_doubles(double *sum, DOUBLES x)
{
    DOUBLES old;
    memcpy(&old, sum, sizeof old);
    old = old + x;
    memcpy(sum, &old, sizeof old);
}

INLINE void add_to_doubles_floats(double *sum, FLOATS x)
{
    VECTOR(float, LANES / 2) half[2];
    memcpy(half, &x, sizeof half);
    add_to_doubles_doubles(sum, __builtin_convertvector(half[0], DOUBLES));
    add_to_doubles_doubles(sum + LANES / 2, __builtin_convertvector(half[1], DOUBLES));
}

#endif
