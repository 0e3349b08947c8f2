// A thin exponential atmosphere, single scattering, in units of the planet's radius. Optical depth towards the sun by
// the Chapman function's approximation of Schueler (GPU Pro 3, 2012); along the view ray by a few samples.
uniform vec3 sun;             // unit, planet axes
uniform vec3 eye;             // radii
uniform float air;            // 0 or 1
// Vertical optical depth: what molecules scatter, what dust scatters, and all that is lost on the way.
uniform vec3 air_molecules, air_dust, air_loss;
uniform vec3 sky_light;       // on ground under a high sun
uniform float exposure;

const float AIR_HEIGHT = 0.0016; // scale height; ground to space is about 8 of them
const float AIR_TOP = 1.0 + 8.0 * AIR_HEIGHT;
const float SUN_STRENGTH = 1.75; // irradiance over pi: white ground under a high sun comes out near white

float chapman(float x, float cosine)
{
    float c = sqrt(1.5707963 * x);
    if (cosine >= 0.0)
        return c / ((c - 1.0) * cosine + 1.0);
    float sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    float x0 = max(sine * x, 1.0);
    float below = 2.0 * sqrt(1.5707963 * x0) * exp(min(x - x0, 80.0));
    return below - c / ((c - 1.0) * -cosine + 1.0);
}

// Light of the sun that reaches a point through the air above it.
vec3 sunlight(vec3 point)
{
    float distance = length(point);
    float cosine = dot(point, sun) / distance;
    float height = max(distance - 1.0, 0.0) / AIR_HEIGHT;
    float depth = exp(-height) * chapman((1.0 + height * AIR_HEIGHT) / AIR_HEIGHT, cosine);
    return exp(-min(depth, 1e4) * air_loss);
}

// Light scattered into the ray from the eye over the given stretch, and what is left of the light behind it.
vec3 scattering(vec3 from, vec3 ray, float length, out vec3 left)
{
    const int SAMPLES = 8;
    float along = dot(ray, sun);
    float rayleigh_phase = 0.0596831 * (1.0 + along * along);
    float g = 0.72;
    float haze_phase = 0.0795775 * (1.0 - g * g) / pow(1.0 + g * g - 2.0 * g * along, 1.5);
    float step_length = length / float(SAMPLES);
    vec3 sum = vec3(0.0), depth = vec3(0.0);
    for (int k = 0; k < SAMPLES; k++) {
        vec3 point = from + ray * (step_length * (float(k) + 0.5));
        float height = dot(point, point);
        height = sqrt(height) - 1.0;
        float density = exp(-max(height, 0.0) / AIR_HEIGHT) * step_length / AIR_HEIGHT;
        vec3 here = density * air_loss;
        vec3 seen = exp(-(depth + 0.5 * here));
        sum += seen * sunlight(point) * density * (air_molecules * rayleigh_phase + air_dust * haze_phase);
        depth += here;
    }
    left = exp(-depth);
    return sum * SUN_STRENGTH * 3.1415927 * 2.0; // 2: what scatters more than once, roughly
}

// Where the ray is inside the atmosphere: x enters, y leaves; y < x if it misses. distances in radii from the eye.
vec2 air_span(vec3 from, vec3 ray)
{
    float b = dot(from, ray);
    float discriminant = b * b - dot(from, from) + AIR_TOP * AIR_TOP;
    if (discriminant <= 0.0)
        return vec2(1.0, 0.0);
    float root = sqrt(discriminant);
    return vec2(max(-b - root, 0.0), -b + root);
}

vec3 to_srgb(vec3 light)
{
    light = clamp(light, 0.0, 1.0);
    return mix(12.92 * light, 1.055 * pow(max(light, 1e-6), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}

// Soft shoulder above 0.6, straight below, so that stored colours keep their looks.
vec3 tone(vec3 light)
{
    light *= exposure;
    vec3 high = max(light - 0.6, 0.0);
    return min(light, 0.6) + 0.4 * (1.0 - exp(-high / 0.4));
}
