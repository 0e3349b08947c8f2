// Sky, limb, sun and stars; or a plain colour.
in vec3 ray_unnormalised;
out vec4 color;
uniform vec4 plain; // alpha 1: this colour and nothing else

// Integer hash of a lattice cell to [0,1)^3.
vec3 hash(ivec3 cell)
{
    uvec3 h = uvec3(cell) * uvec3(1597334673u, 3812015801u, 2798796415u);
    uint n = (h.x ^ h.y ^ h.z) * 1597334673u;
    uvec3 r = uvec3(n, n * 16807u, n * 48271u);
    r ^= r >> 15u;
    r *= 2246822519u;
    r ^= r >> 13u;
    return vec3(r >> 8u) / 16777216.0;
}

float stars(vec3 ray, float pixel)
{
    const float CELLS = 90.0;
    vec3 at = ray * CELLS;
    ivec3 cell = ivec3(floor(at));
    vec3 random = hash(cell);
    vec3 star = normalize(vec3(cell) + 0.15 + 0.7 * random);
    vec3 light = hash(cell + 7919);
    if (light.x < 0.90)
        return 0.0;
    float away = length(cross(star, ray)) / (pixel * 0.8);
    return exp(-away * away) * (0.05 + 0.95 * pow(light.y, 9.0));
}

void main()
{
    vec3 ray = normalize(ray_unnormalised);
    if (plain.a > 0.0) {
        color = vec4(plain.rgb, 1.0);
        return;
    }
    vec3 light = vec3(0.0), left = vec3(1.0);
    if (air != 0.0) {
        vec2 span = air_span(eye, ray);
        if (span.y > span.x)
            light = scattering(eye + ray * span.x, ray, span.y - span.x, left);
    }
    float pixel = length(fwidth(ray)) * 0.7071;
    vec3 behind = vec3(0.85, 0.9, 1.0) * stars(ray, max(pixel, 1e-5)) + vec3(0.0015, 0.0018, 0.003);
    float day = clamp(dot(light, vec3(0.33)) * 12.0, 0.0, 1.0);
    behind *= 1.0 - day;
    float from_sun = acos(clamp(dot(ray, sun), -1.0, 1.0));
    behind += vec3(1.0, 0.96, 0.9) * (smoothstep(0.0055, 0.0045, from_sun) * 30.0 + 0.35 * exp(-from_sun / 0.012));
    // Half a level of noise, the same in every frame, breaks the bands of so smooth a gradient.
    float noise = hash(ivec3(gl_FragCoord.xy, 17)).x - 0.5;
    color = vec4(to_srgb(tone(light + behind * left)) + noise / 255.0, 1.0);
}
