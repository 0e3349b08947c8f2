// SPDX-License-Identifier: MIT
// How many processors this process may use.
#ifndef TERRANE_BAKE_CPU_COUNT_H
#define TERRANE_BAKE_CPU_COUNT_H

// The least of the affinity mask and the CPU quotas of the process's control groups (versions 1 and 2), at least 1.
int cpu_count(void);

// The quota alone, in whole processors, rounded up; 0 where there is none. membership: /proc/self/cgroup or a file
// like it; root: where control groups are mounted (/sys/fs/cgroup). For tests.
int cpu_quota(const char *membership, const char *root);

#endif
