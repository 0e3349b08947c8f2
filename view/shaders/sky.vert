// One triangle over the whole picture, at the far end of the depth range.
uniform float far_depth;
uniform mat3 view;
uniform vec2 scale;
out vec3 ray_unnormalised;

void main()
{
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 4.0 - 1.0;
    ray_unnormalised = transpose(view) * vec3(corner / scale, -1.0);
    gl_Position = vec4(corner, far_depth, 1.0);
}
