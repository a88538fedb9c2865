// A minimal synthesizer that the benchmarks compare the daemon with. Saws without band-limiting, each through a two-pole
// low-pass and an envelope, one voice after the other in a plain loop.

#include <math.h>
#include <string.h>

#define MAXIMUM_VOICES 256

struct voice {
    float phase, increment;
    float state1, state2;
    float level, factor;
};

static struct voice voices[MAXIMUM_VOICES];
static int voice_count;
static float b0, a1, a2;

static void prepare(int count, double rate) {
    voice_count = count < MAXIMUM_VOICES ? count : MAXIMUM_VOICES;
    double w = 2 * M_PI * 1500 / rate, alpha = sin(w) / (2 * M_SQRT1_2);
    b0 = (1 - cos(w)) / 2 / (1 + alpha);
    a1 = -2 * cos(w) / (1 + alpha);
    a2 = (1 - alpha) / (1 + alpha);
    for (int i = 0; i < voice_count; i++) {
        // Falling so slowly that all sound to the end.
        voices[i] = (struct voice){.increment = 55 * exp2(i / 12.0) / rate, .level = 0.01f, .factor = 0.99999999f};
    }
}

static void render(float *left, float *right, int count) {
    memset(left, 0, count * sizeof(float));
    for (int i = 0; i < voice_count; i++) {
        struct voice v = voices[i];
        for (int n = 0; n < count; n++) {
            v.phase += v.increment;
            if (v.phase >= 1) v.phase -= 1;
            float input = b0 * (2 * v.phase - 1);
            float output = input + v.state1;
            v.state1 = 2 * input + v.state2 - a1 * output;
            v.state2 = input - a2 * output;
            v.level *= v.factor;
            left[n] += output * v.level;
        }
        voices[i] = v;
    }
    memcpy(right, left, count * sizeof(float));
}
