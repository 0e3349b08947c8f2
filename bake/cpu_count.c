// SPDX-License-Identifier: MIT
#include "bake/cpu_count.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

// First line of a small file, without the line end; 0 where it cannot be read.
static int read_line(char *line, int size, const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    char *got = fgets(line, size, file);
    fclose(file);
    if (!got)
        return 0;
    line[strcspn(line, "\n")] = 0;
    return 1;
}

static int whole_cpus(long long quota, long long period)
{
    if (quota <= 0 || period <= 0)
        return 0;
    long long cpus = quota / period + (quota % period != 0);
    return cpus > INT_MAX ? 0 : (int)cpus;
}

static int least(int a, int b)
{
    return a == 0 ? b : b == 0 ? a : a < b ? a : b;
}

// "max 100000" or "150000 100000" in cpu.max (version 2), or the two files of version 1.
static int quota_of_group(const char *folder)
{
    char path[PATH_MAX + 32], line[64];
    long long quota, period;
    int count = 0;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (read_line(line, sizeof line, path) && sscanf(line, "%lld %lld", &quota, &period) == 2)
        count = whole_cpus(quota, period);
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (read_line(line, sizeof line, path) && sscanf(line, "%lld", &quota) == 1) {
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
        if (read_line(line, sizeof line, path) && sscanf(line, "%lld", &period) == 1)
            count = least(count, whole_cpus(quota, period));
    }
    return count;
}

// The least quota of a group and all groups around it. Inside a container the path may name a folder that is not
// mounted here; then what is mounted at the top counts.
static int quota_upward(const char *mount, const char *group)
{
    char folder[PATH_MAX];
    int count = 0, length = snprintf(folder, sizeof folder, "%s%s", mount, group);
    if (length < 0 || (size_t)length >= sizeof folder)
        return 0;
    for (;;) {
        count = least(count, quota_of_group(folder));
        char *slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < strlen(mount))
            return count;
        *slash = 0;
    }
}

int cpu_quota(const char *membership, const char *root)
{
    FILE *file = fopen(membership, "re");
    char line[PATH_MAX], mount[PATH_MAX];
    int count = 0;
    if (!file)
        return 0;
    // "0::/group" is version 2, "4:cpu,cpuacct:/group" version 1.
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *controllers++ = 0;
        *group++ = 0;
        if (*controllers == 0) {
            count = least(count, quota_upward(root, group));
            continue;
        }
        char *rest = controllers;
        for (char *name = strtok_r(controllers, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
            int length = snprintf(mount, sizeof mount, "%s/cpu", root);
            if (strcmp(name, "cpu") == 0 && length > 0 && (size_t)length < sizeof mount)
                count = least(count, quota_upward(mount, group));
        }
    }
    fclose(file);
    return count;
}

int cpu_count(void)
{
    int count = least(omp_get_num_procs(), cpu_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
    return count > 0 ? count : 1;
}
