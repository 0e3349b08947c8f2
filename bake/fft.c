// SPDX-License-Identifier: MIT
// Radix 2, decimation in time (Cooley and Tukey 1965).
#include "bake/fft.h"

#include <assert.h>
#include <stdlib.h>

#include "common/stable_math.h"

struct fft {
    int count;
    double *cosine, *sine; // of 2 pi k / count, k < count / 2
    int *reversed;         // the index with its bits turned round
};

enum status_code fft_new(struct fft **fft, int count, struct status *status)
{
    assert(count >= 2 && count <= FFT_COUNT_MAX && (count & (count - 1)) == 0);
    size_t half = (size_t)count / 2;
    struct fft *made = calloc(1, sizeof *made);
    if (made) {
        made->cosine = malloc(half * sizeof(double));
        made->sine = malloc(half * sizeof(double));
        made->reversed = calloc((size_t)count, sizeof(int));
    }
    if (!made || !made->cosine || !made->sine || !made->reversed) {
        fft_free(made);
        return status_fail_memory(status, "fft", (size_t)count * (sizeof(double) + sizeof(int)));
    }
    made->count = count;
    for (int k = 0; k < count / 2; k++)
        stable_sincos_deg(360.0 * k / count, &made->sine[k], &made->cosine[k]);
    for (int k = 1; k < count; k++)
        made->reversed[k] = made->reversed[k / 2] / 2 + (k & 1 ? count / 2 : 0);
    *fft = made;
    return STATUS_OK;
}

void fft_free(struct fft *fft)
{
    if (!fft)
        return;
    free(fft->cosine);
    free(fft->sine);
    free(fft->reversed);
    free(fft);
}

static void swap(double *values, int a, int b)
{
    double kept = values[a];
    values[a] = values[b];
    values[b] = kept;
}

void fft_forward(const struct fft *fft, double *re, double *im)
{
    int count = fft->count;
    for (int k = 0; k < count; k++) {
        if (fft->reversed[k] > k) {
            swap(re, k, fft->reversed[k]);
            swap(im, k, fft->reversed[k]);
        }
    }
    for (int half = 1; half < count; half *= 2) {
        int step = count / (2 * half);
        for (int first = 0; first < count; first += 2 * half) {
            for (int k = 0; k < half; k++) {
                int a = first + k, b = a + half;
                double c = fft->cosine[k * step], s = fft->sine[k * step];
                double turned_re = c * re[b] + s * im[b], turned_im = c * im[b] - s * re[b];
                re[b] = re[a] - turned_re;
                im[b] = im[a] - turned_im;
                re[a] += turned_re;
                im[a] += turned_im;
            }
        }
    }
}
