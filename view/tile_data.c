// SPDX-License-Identifier: MIT
#include "view/tile_data.h"

size_t tile_data_bytes(int intervals)
{
    size_t texels = (size_t)(intervals + 1) * (size_t)(intervals + 1);
    return sizeof(struct tile_data) + (size_t)tile_vertex_count(intervals) * sizeof(struct tile_vertex) +
           texels * (2 * sizeof(int16_t) + 4);
}

struct tile_data *tile_data_over(void *memory, int intervals)
{
    size_t texels = (size_t)(intervals + 1) * (size_t)(intervals + 1);
    struct tile_data *data = memory;
    data->vertices = (struct tile_vertex *)(data + 1);
    data->normals = (int16_t *)(data->vertices + tile_vertex_count(intervals));
    data->colors = (uint8_t *)(data->normals + 2 * texels);
    return data;
}

size_t tile_gpu_bytes(int intervals)
{
    return tile_data_bytes(intervals) - sizeof(struct tile_data);
}
