// SPDX-License-Identifier: MIT
// How everything in Terrane reports trouble that is not a bug.
//
// A function that can fail returns an enum status_code, STATUS_OK (0) for good, and takes a
// struct status as its last parameter, which it fills in only when it fails. A caller's mistake
// is an assert, never a status. Only main() prints a status and turns its code into an exit code;
// the numbers of the codes are the exit codes of the command-line contract.
#ifndef TERRANE_COMMON_STATUS_H
#define TERRANE_COMMON_STATUS_H

enum status_code {
    STATUS_OK = 0,
    STATUS_INTERNAL = 1,     // a bug in Terrane
    STATUS_USAGE = 2,        // the command line is wrong
    STATUS_INPUT = 3,        // bad, corrupt, incomplete or mismatched input
    STATUS_RESOURCE = 4,     // output, disk, memory or another resource
    STATUS_LOCKED = 5,       // another bake holds the output
    STATUS_INTERRUPTED = 75, // stopped by a signal; can be resumed
};

// One line, without a newline: "<what>: <why>" and, where there is one, what to do about it.
// Longer texts are cut. Bytes below 0x20 that come in through %s (paths may hold anything) are
// shown as '?', so that a message is always one line.
//
// context is what main shows below that line, or empty: whole lines of plain text that end in newlines, such as the
// place in a text where the trouble is. Every status_fail empties it; who has something to show fills it in behind.
struct status {
    enum status_code code;
    char text[480];
    char context[320];
};

// Fills in *status and returns code, so that a failing function reads
//     return status_fail(status, STATUS_INPUT, "%s: not a pack", path);
enum status_code status_fail(struct status *status, enum status_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same with ": " and the text of errno value error_number at the end.
enum status_code status_fail_errno(struct status *status, enum status_code code, int error_number, const char *format,
                                   ...) __attribute__((format(printf, 4, 5)));

// Out of memory: STATUS_RESOURCE, naming what the memory was for and how many bytes.
enum status_code status_fail_memory(struct status *status, const char *what, unsigned long long bytes);

#endif
