// SPDX-License-Identifier: MIT
#include "bake/pack_metadata.h"

#include <stdlib.h>

enum status_code pack_metadata(struct metadata *metadata, const struct pack *pack, struct status *status)
{
    char *text;
    size_t length;
    enum status_code code = pack_read_metadata(pack, &text, &length, status);
    if (code)
        return code;
    struct status inner;
    code = metadata_parse(metadata, text, length, &inner);
    free(text);
    if (code)
        return status_fail(status, code, "%s: %s", pack_path(pack), inner.text);
    const struct pack_info *info = pack_get_info(pack);
    if (metadata->radius_m != info->radius_m || metadata->intervals != info->intervals ||
        metadata->layers != info->layers) {
        metadata_free(metadata);
        return status_fail(status, STATUS_INPUT, "%s: header and metadata disagree on radius, tile size or layers",
                           pack_path(pack));
    }
    return STATUS_OK;
}

enum status_code pack_open_described(struct pack **pack, struct metadata *metadata, const char *path,
                                     struct status *status)
{
    enum status_code code = pack_open(pack, path, status);
    if (!code && (code = pack_metadata(metadata, *pack, status)))
        pack_close(*pack);
    return code;
}
