// Lights a tile. Without air the formula is plain, and tests know it: albedo * (ambient + (1 - ambient) * max(n.sun, 0)).
flat in int slot;
flat in int face;
in vec2 place;
in vec3 rel_m;
in vec3 upward;
out vec4 color;

uniform sampler2DArray normals; // tangent frame, x and y
uniform sampler2DArray colors;  // sRGB; alpha 0 is sea
uniform float intervals;        // N: textures are vertex-registered, N + 1 texels a side
uniform float radius_m;
uniform int flat_light;
uniform int borders;

const float AMBIENT = 0.035;

const vec3 S_AXES[6] = vec3[6](vec3(0, 1, 0), vec3(-1, 0, 0), vec3(-1, 0, 0), vec3(0, 0, -1), vec3(0, 0, -1), vec3(0, 1, 0));

vec3 lit_ground(vec3 albedo, vec3 n, vec3 up, float sea, vec3 ray)
{
    float slope_light = max(dot(n, sun), 0.0);
    if (air == 0.0)
        return albedo * (AMBIENT + (1.0 - AMBIENT) * slope_light);
    vec3 direct = sunlight(up) * slope_light * SUN_STRENGTH;
    float day = smoothstep(-0.25, 0.35, dot(up, sun));
    vec3 sky = sky_light * day * (0.75 + 0.25 * dot(n, up)) + vec3(0.012, 0.014, 0.020);
    vec3 light = albedo * (direct + sky);
    if (sea > 0.0) {
        vec3 half_way = normalize(sun - ray);
        float towards = max(dot(-ray, up), 0.0);
        float fresnel = 0.02 + 0.98 * pow(1.0 - towards, 5.0);
        float glint = pow(max(dot(n, half_way), 0.0), 90.0) * 1.1 + pow(max(dot(n, half_way), 0.0), 14.0) * 0.10;
        light += sea * sunlight(up) * step(0.0, dot(up, sun)) * glint * (0.15 + fresnel) * SUN_STRENGTH;
        light = mix(light, sky * 0.9, sea * fresnel * 0.6);
    }
    return light;
}

void main()
{
    write_depth();
    vec3 at = vec3((place * intervals + 0.5) / (intervals + 1.0), float(slot));
    vec4 stored = texture(colors, at);
    if (flat_light != 0) {
        color = vec4(to_srgb(stored.rgb), 1.0);
        return;
    }
    vec2 xy = texture(normals, at).xy;
    vec3 up = normalize(upward);
    vec3 x = normalize(S_AXES[face] - up * dot(S_AXES[face], up));
    vec3 y = cross(up, x);
    vec3 n = normalize(xy.x * x + xy.y * y + sqrt(max(1.0 - dot(xy, xy), 0.0)) * up);
    vec3 ray = normalize(rel_m);
    vec3 light = lit_ground(stored.rgb, n, up, 1.0 - stored.a, ray);
    if (air != 0.0) {
        vec2 span = air_span(eye, ray);
        float reach = length(rel_m) / radius_m;
        float from = min(span.x, reach);
        vec3 left;
        vec3 added = scattering(eye + ray * from, ray, max(min(span.y, reach) - from, 0.0), left);
        light = tone(light * left + added);
    }
    if (borders != 0) {
        vec2 edge = min(place, 1.0 - place) / fwidth(place);
        light = mix(vec3(1.0, 0.75, 0.1), light, clamp(min(edge.x, edge.y) - 0.5, 0.0, 1.0));
    }
    color = vec4(to_srgb(light), 1.0);
}
