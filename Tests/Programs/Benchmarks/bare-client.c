// Renders the voices of bare-voices.h, and nothing else.
//
// cc -O3 -ffast-math bare-client.c -lm
//
// usage: bare-client VOICES     renders four seconds eleven times; prints the CPU seconds that each took

#include "bare-voices.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PERIOD 1000

static double cpu_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int measure(int count) {
    static float left[PERIOD], right[PERIOD];
    volatile float sink;
    prepare(count, 48000);
    for (int run = 0; run < 11; run++) {
        double start = cpu_seconds();
        for (int done = 0; done < 4 * 48000; done += PERIOD) {
            render(left, right, PERIOD);
            sink = right[0];
        }
        (void)sink;
        printf("%.6f\n", cpu_seconds() - start);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2) return measure(atoi(argv[1]));
    fprintf(stderr, "usage: bare-client VOICES\n");
    return 2;
}
