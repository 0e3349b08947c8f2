// SPDX-License-Identifier: MIT
// The discrete Fourier transform of a power of two of samples, for the spectrum of a map. Our own 60 lines and no
// library: rows of at most 8192 samples take a small part of the time, and the bits are the same on every machine,
// which no library that picks its algorithm by the processor promises.
#ifndef TERRANE_BAKE_FFT_H
#define TERRANE_BAKE_FFT_H

#include "common/status.h"

#define FFT_COUNT_MAX 65536

struct fft; // opaque, read-only once made: threads share it

// count is a power of two, 2..FFT_COUNT_MAX.
enum status_code fft_new(struct fft **fft, int count, struct status *status);
void fft_free(struct fft *fft); // NULL is fine

// In place: sample n of re + i im becomes the sum over k of sample k times exp(-2 pi i k n / count).
void fft_forward(const struct fft *fft, double *re, double *im);

#endif
