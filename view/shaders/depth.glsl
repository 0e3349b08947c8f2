// The fragment's part of projection.glsl.
#ifdef LOG_DEPTH
in float ahead_m;
uniform float near_m;
uniform float log_far; // log2(far / near + 1)

void write_depth()
{
    gl_FragDepth = log2(max(ahead_m, 0.0) / near_m + 1.0) / log_far;
}
#else
void write_depth()
{
}
#endif
