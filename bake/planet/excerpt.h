// SPDX-License-Identifier: MIT
// A line of a text with a caret below one place in it, as it is shown on a terminal.
#ifndef TERRANE_BAKE_PLANET_EXCERPT_H
#define TERRANE_BAKE_PLANET_EXCERPT_H

#include <stddef.h>

// Of a longer line only about this many bytes around the place are shown, with "..." where it goes on.
#define EXCERPT_BYTES 100
// What an excerpt takes at most, with the zero at its end.
#define EXCERPT_SIZE (2 * EXCERPT_BYTES + 20)

// Writes two lines to the zero-terminated string to, size >= EXCERPT_SIZE: the line of text (any bytes, need not end in
// zero) that holds byte offset at, and the caret. An offset behind the end is the end. The padding before the caret has
// a tab for each tab and a space for each other character, so that it stands right whatever a tab is wide. Control
// characters and bytes that are not UTF-8 are shown as '?'; a mark at the beginning of the text is left out.
void excerpt_write(char *to, size_t size, const char *text, size_t length, size_t at);

#endif
