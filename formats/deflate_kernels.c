// SPDX-License-Identifier: MIT
#include "formats/deflate_kernels.h"

#include <string.h>

#include "formats/deflate_adler.h"
#include "formats/deflate_count.h"
#include "formats/deflate_put.h"
#include "formats/deflate_runs.h"

const struct deflate_kernels deflate_kernels_base = {"base", deflate_adler,   deflate_find_runs, deflate_count_bytes,
                                                     64,     deflate_put_data};

const struct deflate_kernels *deflate_kernels_choose(void)
{
    const struct deflate_kernels *quick = deflate_kernels_named("avx2");
    return quick ? quick : &deflate_kernels_base;
}

const struct deflate_kernels *deflate_kernels_named(const char *name)
{
#if defined(__x86_64__)
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return &deflate_kernels_avx2;
#endif
    return strcmp(name, "base") == 0 ? &deflate_kernels_base : NULL;
}
