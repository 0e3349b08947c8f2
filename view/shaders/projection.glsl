// Camera-relative metres to clip space.
uniform mat3 view;        // rows: right, up, backward
uniform vec2 scale;       // 1 / tan of half the field of view, across and up
uniform float near_m;
uniform float log_depth;  // 0: reversed-Z with infinite far; else 2 / log2(far / near + 1)

vec4 project(vec3 rel_m)
{
    vec3 v = view * rel_m;
    float w = -v.z;
    float z = near_m;
    if (log_depth > 0.0)
        z = (log2(max(w / near_m, 0.0) + 1.0) * log_depth - 1.0) * w;
    return vec4(v.xy * scale, z, w);
}
