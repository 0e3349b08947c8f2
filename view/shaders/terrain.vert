// Places a tile's vertices. Positions come as high + low floats from the tile's centre; so does centre - camera, once a
// tile. Near the camera the high parts cancel without loss, so what is left is exact to the low parts.
layout(location = 0) in vec3 high;
layout(location = 1) in vec3 low;

// Four texels a slot: (offset high, face) (offset low, skirt_m) (centre_m, level) (reserved).
uniform samplerBuffer slots;
uniform int vertices_a_tile;
uniform int quads;
uniform float radius_m;

flat out int slot;
flat out int face;
out vec2 place;  // 0..1 along s and downward
out vec3 rel_m;  // from the camera
out vec3 upward; // from the planet's centre, in radii

void main()
{
    slot = gl_VertexID / vertices_a_tile;
    int vertex = gl_VertexID - slot * vertices_a_tile;
    vec4 offset_high = texelFetch(slots, slot * 4);
    vec4 offset_low = texelFetch(slots, slot * 4 + 1);
    vec3 centre_m = texelFetch(slots, slot * 4 + 2).xyz;
    face = int(offset_high.w);

    int side = quads + 1, row, column;
    bool skirt = vertex >= side * side;
    if (skirt) {
        int line = (vertex - side * side) / side, k = (vertex - side * side) % side;
        int at = line % 3 == 0 ? 0 : line % 3 == 1 ? quads : quads / 2;
        row = line < 3 ? at : k;
        column = line < 3 ? k : at;
    } else {
        row = vertex / side;
        column = vertex % side;
    }
    place = vec2(column, row) / float(quads);
    upward = (centre_m + high) / radius_m;
    rel_m = (high + offset_high.xyz) + (low + offset_low.xyz);
    if (skirt)
        rel_m -= normalize(upward) * offset_low.w;
    gl_Position = project(rel_m);
}
