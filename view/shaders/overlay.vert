// World lines (w = 1: camera-relative metres) and HUD shapes (w = 0: pixels from the top left).
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 tint;
uniform vec2 size_px;
out vec4 shade;

void main()
{
    shade = tint;
    gl_Position = project(position.xyz);
    if (position.w < 0.5)
        gl_Position = vec4(position.xy / size_px * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.5, 1.0);
}
