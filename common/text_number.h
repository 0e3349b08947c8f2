// SPDX-License-Identifier: MIT
// Numbers as text, strictly and without locale: what is read is a number and nothing else, what is
// written has a decimal point and reads back to the same bits. What is refused leaves *value as it was.
#ifndef TERRANE_COMMON_TEXT_NUMBER_H
#define TERRANE_COMMON_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decimal digits only ("007" is fine), the whole text, at most UINT64_MAX; false otherwise.
bool parse_u64(const char *text, uint64_t *value);

// [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent, the whole text;
// no hexadecimal, "inf", "nan" or blanks. False as well when the value overflows a double.
bool parse_real(const char *text, double *value);

// The same for the longest number at the start of length bytes (which need no terminating zero).
// Returns how many bytes it took, 0 if there is none or it overflows. Numbers of over 60 characters are refused.
size_t parse_real_prefix(const char *text, size_t length, double *value);

// The shortest decimal form that reads back to exactly value, which must be finite. "100000" rather than "1e+05".
#define REAL_TEXT_MAX 40
void format_real(char text[REAL_TEXT_MAX], double value);

#endif
