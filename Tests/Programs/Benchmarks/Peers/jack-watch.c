// Says when JACK begins to call a client: jackd announces the ports of a client when it is activated.
//
// cc jack-watch.c -ljack
//
// usage: jack-watch NAME    prints "ready" when it watches, then the seconds on CLOCK_MONOTONIC

#include <jack/jack.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static jack_client_t *client;
static const char *name;
static sem_t seen;
static struct timespec when;

static void notice(jack_port_id_t port, int is_registered, void *context) {
    (void)context;
    const char *full_name = jack_port_name(jack_port_by_id(client, port));
    size_t length = strlen(name);
    if (!is_registered || when.tv_sec || strncmp(full_name, name, length) || full_name[length] != ':') return;
    clock_gettime(CLOCK_MONOTONIC, &when);
    sem_post(&seen);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    name = arguments[1];
    sem_init(&seen, 0, 0);
    client = jack_client_open("jack-watch", JackNoStartServer, NULL);
    if (!client) return 1;
    jack_set_port_registration_callback(client, notice, NULL);
    if (jack_activate(client)) return 1;
    puts("ready");
    fflush(stdout);
    sem_wait(&seen);
    printf("%ld.%09ld\n", when.tv_sec, when.tv_nsec);
    return 0;
}
