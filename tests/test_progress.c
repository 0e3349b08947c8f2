// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <sys/stat.h>

#include "bake/cpu_count.h"
#include "bake/progress.h"
#include "tests/base_folder.h"
#include "tests/check.h"

static struct progress progress;
static struct status status;
static char shown[4096];

static void begin(enum progress_mode mode, bool terminal, bool quiet)
{
    CHECK(progress_begin(&progress, mode, quiet, "bake", 100, 10, 1000, 3, &status) == STATUS_OK);
    progress.terminal = terminal;
    progress.out = tmpfile();
    CHECK(progress.out);
}

// What was written since begin.
static const char *text(void)
{
    size_t length = (rewind(progress.out), fread(shown, 1, sizeof shown - 1, progress.out));
    shown[length] = 0;
    return shown;
}

static void end(void)
{
    fclose(progress.out);
    progress_free(&progress);
}

static int count_of(const char *where, char what)
{
    int count = 0;
    for (; *where; where++)
        count += *where == what;
    return count;
}

// As if so many seconds had gone.
static void let_pass(double seconds)
{
    progress.last_s -= seconds;
    progress.start_s -= seconds;
}

static void plain_lines_come_every_30_seconds_at_most(void)
{
    begin(PROGRESS_AUTO, false, false);
    for (int k = 0; k < 50; k++)
        progress_tick(&progress);
    CHECK(text()[0] == 0);
    let_pass(29);
    progress_tick(&progress);
    CHECK(text()[0] == 0);
    let_pass(1.01);
    progress_count(&progress, 0, 500);
    progress_count(&progress, 2, 500);
    progress_tick(&progress);
    progress_tick(&progress);
    CHECK_TEXT(count_of(text(), '\n') == 1 && count_of(shown, '\r') == 0 && strstr(shown, "12 of 100 tiles"), "%s",
               shown);
    CHECK(strstr(shown, "left") && strstr(shown, "2.0 KiB"));
    progress_end(&progress, false, 0);
    CHECK(count_of(text(), '\n') == 1);
    end();
}

static void a_terminal_gets_one_live_line(void)
{
    begin(PROGRESS_AUTO, true, false);
    for (int k = 0; k < 5; k++) {
        let_pass(0.3);
        progress_count(&progress, 1, 1);
        progress_tick(&progress);
        progress_tick(&progress);
    }
    CHECK(count_of(text(), '\r') == 5 && count_of(shown, '\n') == 0);
    progress_end(&progress, true, 3 << 20);
    CHECK(count_of(text(), '\n') == 1 && strstr(shown, "\r\033[Kterrane: bake: 15 tiles, 3.0 MiB, "));
    end();
}

static void packing_is_shown_to_people_only(void)
{
    for (int k = 0; k < 2; k++) {
        begin(k ? PROGRESS_JSON : PROGRESS_AUTO, false, false);
        let_pass(31);
        progress_count_packed(&progress);
        progress_count_packed(&progress);
        CHECK(text()[0] == 0 || strcmp(shown, "terrane: bake: packing, 1 of 100 tiles\n") == 0);
        CHECK((shown[0] == 0) == (k == 1));
        end();
    }
}

static void json_has_an_object_a_line(void)
{
    begin(PROGRESS_JSON, true, false);
    let_pass(2);
    progress_tick(&progress);
    for (int k = 0; k < 90; k++)
        progress_count(&progress, k % 3, 10);
    progress_end(&progress, true, 12345);
    CHECK(count_of(text(), '\n') == 2 && count_of(shown, '\r') == 0);
    char *second = strchr(shown, '\n') + 1;
    second[-1] = 0;
    json_t *first = json_loads(shown, 0, NULL), *last = json_loads(second, 0, NULL);
    CHECK(json_integer_value(json_object_get(first, "done")) == 10 && json_is_null(json_object_get(first, "eta_s")));
    CHECK(json_integer_value(json_object_get(last, "done")) == 100 &&
          json_integer_value(json_object_get(last, "planned")) == 100 &&
          json_integer_value(json_object_get(last, "bytes")) == 1900 &&
          json_real_value(json_object_get(last, "elapsed_s")) >= 2 &&
          json_number_value(json_object_get(last, "eta_s")) == 0);
    json_decref(first);
    json_decref(last);
    end();
}

static void quiet_and_none_say_nothing(void)
{
    for (int k = 0; k < 2; k++) {
        begin(k ? PROGRESS_NONE : PROGRESS_JSON, true, !k);
        let_pass(100);
        progress_tick(&progress);
        progress_end(&progress, true, 5);
        CHECK(text()[0] == 0);
        end();
    }
}

static void time_left_goes_with_what_this_bake_did(void)
{
    begin(PROGRESS_JSON, false, false);
    let_pass(10);
    for (int k = 0; k < 30; k++)
        progress_count(&progress, 0, 1);
    progress_tick(&progress);
    json_t *object = json_loads(text(), 0, NULL);
    // 30 of 90 in 10 s, not 40 of 100.
    double eta_s = json_number_value(json_object_get(object, "eta_s"));
    CHECK_TEXT(eta_s > 19.5 && eta_s < 21.5, "%g", eta_s);
    json_decref(object);
    end();
}

static void durations_and_sizes_read_well(void)
{
    static const struct {
        double seconds;
        const char *text;
    } durations[] = {{0, "0:00"},       {59.6, "1:00"},    {61, "1:01"},
                     {3599.4, "59:59"}, {3600, "1:00:00"}, {90061, "25:01:01"}};
    for (size_t k = 0; k < sizeof durations / sizeof durations[0]; k++) {
        char made[DURATION_TEXT_MAX];
        format_duration(made, durations[k].seconds);
        CHECK_TEXT(strcmp(made, durations[k].text) == 0, "%s, not %s", made, durations[k].text);
    }
    char made[BYTES_TEXT_MAX];
    format_bytes(made, 1023);
    CHECK(strcmp(made, "1023 bytes") == 0);
    format_bytes(made, 1536);
    CHECK(strcmp(made, "1.5 KiB") == 0);
    format_bytes(made, UINT64_MAX);
    CHECK(strcmp(made, "16.0 EiB") == 0);
}

// ---- Processors ------------------------------------------------------------------------------------------

static void put(const char *name, const char *content)
{
    FILE *file = fopen(at(name), "w");
    CHECK(file && fputs(content, file) >= 0 && fclose(file) == 0);
}

static void quotas_of_control_groups_count(void)
{
    temp_folder_make(base);
    CHECK(cpu_quota(at("none"), base) == 0);
    // Version 2: the group and those around it.
    CHECK(mkdir(at("a"), 0755) == 0 && mkdir(at("a/b"), 0755) == 0);
    put("v2", "0::/a/b\n");
    CHECK(cpu_quota(at("v2"), base) == 0);
    put("a/b/cpu.max", "max 100000\n");
    CHECK(cpu_quota(at("v2"), base) == 0);
    put("a/cpu.max", "250000 100000\n");
    CHECK(cpu_quota(at("v2"), base) == 3);
    put("a/b/cpu.max", "100000 100000\n");
    CHECK(cpu_quota(at("v2"), base) == 1);
    put("a/b/cpu.max", "nonsense\n");
    CHECK(cpu_quota(at("v2"), base) == 3);
    // In a container the group's path need not be mounted.
    put("v2", "0::/not/here\n");
    put("cpu.max", "50000 100000\n");
    CHECK(cpu_quota(at("v2"), base) == 1);
    // Version 1.
    CHECK(mkdir(at("cpu"), 0755) == 0 && mkdir(at("cpu/g"), 0755) == 0);
    put("v1", "5:memory:/g\n3:cpuset:/x\n4:cpu,cpuacct:/g\n");
    put("cpu/g/cpu.cfs_quota_us", "-1\n");
    put("cpu/g/cpu.cfs_period_us", "100000\n");
    CHECK(cpu_quota(at("v1"), base) == 0);
    put("cpu/g/cpu.cfs_quota_us", "400001\n");
    CHECK(cpu_quota(at("v1"), base) == 5);
    put("v1", "7:cpuset:/g\n8:cpuacct:/g\nnonsense\n\n");
    CHECK(cpu_quota(at("v1"), base) == 0);
    CHECK(cpu_count() >= 1);
    temp_folder_remove(base);
}

int main(int argc, char **argv)
{
    CHECK_MAIN(argc, argv);
    CHECK_RUN(plain_lines_come_every_30_seconds_at_most);
    CHECK_RUN(a_terminal_gets_one_live_line);
    CHECK_RUN(packing_is_shown_to_people_only);
    CHECK_RUN(json_has_an_object_a_line);
    CHECK_RUN(quiet_and_none_say_nothing);
    CHECK_RUN(time_left_goes_with_what_this_bake_did);
    CHECK_RUN(durations_and_sizes_read_well);
    CHECK_RUN(quotas_of_control_groups_count);
    return CHECK_END;
}
