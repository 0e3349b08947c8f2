// SPDX-License-Identifier: MIT
#include "bake/timings.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bake/json_out.h"

enum status_code timings_open(struct timings_file *timings, const char *path, struct status *status)
{
    *timings = (struct timings_file){.path = path};
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    timings->made = fd >= 0;
    if (fd < 0 && errno == EEXIST)
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return status_fail_errno(status, STATUS_RESOURCE, errno, "%s: cannot be written", path);
    timings->file = fdopen(fd, "w");
    if (!timings->file) {
        close(fd);
        return status_fail_memory(status, path, BUFSIZ);
    }
    return STATUS_OK;
}

static void print(FILE *file, const struct bake_result *result)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    struct json_out json = json_begin(file);
    json_open_object(&json, NULL);
    json_i64(&json, "schema", 1);
    json_u64(&json, "tiles", result->tile_count);
    json_u64(&json, "pack_bytes", result->pack_bytes);
    json_i64(&json, "threads", result->thread_count);
    json_double(&json, "planet_cpu_s", result->times.tiles.planet_s);
    json_double(&json, "layers_cpu_s", result->times.tiles.layers_s);
    json_double(&json, "encode_cpu_s", result->times.tiles.encode_s);
    json_double(&json, "write_s", result->times.write_s);
    json_double(&json, "bake_wall_s", result->bake_s);
    json_double(&json, "assemble_wall_s", result->assemble_s);
    json_double(&json, "wall_s", result->wall_s);
    json_u64(&json, "peak_rss_bytes", (uint64_t)usage.ru_maxrss * 1024);
    json_end(&json);
    putc('\n', file);
}

enum status_code timings_write(struct timings_file *timings, const struct bake_result *result, struct status *status)
{
    struct stat about;
    int fd = fileno(timings->file);
    // A pipe or a terminal has no length.
    bool failed = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && ftruncate(fd, 0) != 0;
    print(timings->file, result);
    failed |= ferror(timings->file) != 0;
    failed |= fclose(timings->file) != 0;
    timings->file = NULL;
    return failed ? status_fail(status, STATUS_RESOURCE, "%s: cannot be written", timings->path) : STATUS_OK;
}

// Nothing was written yet, so closing has nothing to say. Only the file that was made goes, not what another program
// may have put in its place.
void timings_abandon(struct timings_file *timings)
{
    struct stat mine, named;
    if (timings->made && fstat(fileno(timings->file), &mine) == 0 && lstat(timings->path, &named) == 0 &&
        mine.st_dev == named.st_dev && mine.st_ino == named.st_ino)
        unlink(timings->path);
    fclose(timings->file);
    timings->file = NULL;
}
