// Camera-relative metres to clip space. With clip control: reversed-Z, infinite far. Without: fragments write the
// logarithm of their distance, and z only has to stay inside the clip volume. (A logarithm a vertex would be wrong on
// triangles that reach behind the camera.)
uniform mat3 view;  // rows: right, up, backward
uniform vec2 scale; // 1 / tan of half the field of view, across and up
uniform float near_m;

#ifdef LOG_DEPTH
out float ahead_m;
#endif

vec4 project(vec3 rel_m)
{
    vec3 v = view * rel_m;
#ifdef LOG_DEPTH
    ahead_m = -v.z;
    return vec4(v.xy * scale, 0.0, -v.z);
#else
    return vec4(v.xy * scale, near_m, -v.z);
#endif
}
