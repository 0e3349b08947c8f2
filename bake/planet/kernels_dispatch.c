// SPDX-License-Identifier: MIT
#include <string.h>

#include "bake/planet/kernels.h"

#if defined(__x86_64__)
static int cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}
#endif

const struct kernels *kernels_choose(void)
{
#if defined(__x86_64__)
    if (cpu_has_avx512())
        return &kernels_avx512;
    if (__builtin_cpu_supports("avx2"))
        return &kernels_avx2;
#endif
    return &kernels_base;
}

const struct kernels *kernels_named(const char *name)
{
    if (strcmp(name, "base") == 0)
        return &kernels_base;
#if defined(__x86_64__)
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2"))
        return &kernels_avx2;
    if (strcmp(name, "avx512") == 0 && cpu_has_avx512())
        return &kernels_avx512;
#endif
    return NULL;
}
