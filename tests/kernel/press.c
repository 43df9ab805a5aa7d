/* Drive simulated GPIO lines on a plan and say when each was written.
 *
 * usage: press SIM_DIRECTORY PRIORITY <plan
 * A plan's line is "AT_US OFFSET PULL" (PULL 1 is pull-up); times count from the start, and who comes late puts off
 * all that follows. After the last one, a line "OFFSET PULL BEFORE_NS AFTER_NS" is printed for each:
 * CLOCK_MONOTONIC just before and after the write.
 *
 * With PRIORITY 80 it runs ahead of everybody else, so that its stamps are its writes', and the kernel's interrupt
 * threads wait for it; with 0 it takes its turn. For more than 150 us it sleeps. In this guest every system call takes 15 us or more, reading the clock too: so the processor's counter is read
 * instead, and compared with the clock before and after the plan.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STEPS = 20000, LINES = 64, TRIES = 50 };
static const long long LEAD_NS = 20000000, SPIN_NS = 150000;

struct step {
    long long at_ns;
    unsigned long long before, after;
    int offset, pull;
};
static struct step steps[STEPS];
static int files[LINES];

struct mark {
    unsigned long long ticks;
    long long ns;
};

static unsigned long long ticks(void)
{
    return __builtin_ia32_rdtsc();
}

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The same moment on both clocks: the quickest of some readings. */
static struct mark both(void)
{
    struct mark best = {0, 0};
    unsigned long long least = ~0ULL;
    for (int i = 0; i < TRIES; i++) {
        unsigned long long before = ticks();
        long long ns = now_ns();
        unsigned long long took = ticks() - before;
        if (took < least) {
            least = took;
            best = (struct mark){before + took / 2, ns};
        }
    }
    return best;
}

static double ns_a_tick(struct mark from, struct mark to)
{
    return (double)(to.ns - from.ns) / (double)(to.ticks - from.ticks);
}

static long long to_ns(unsigned long long at, struct mark from, double rate)
{
    return from.ns + (long long)((double)(long long)(at - from.ticks) * rate);
}

static void wait_until(long long at_ns, struct mark from, double rate)
{
    long long left_ns = at_ns - to_ns(ticks(), from, rate);
    if (left_ns > SPIN_NS) {
        long long wake_ns = at_ns - SPIN_NS;
        struct timespec t = {wake_ns / 1000000000LL, wake_ns % 1000000000LL};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    }
    while (to_ns(ticks(), from, rate) < at_ns)
        ;
}

static int open_line(const char *sim, int offset)
{
    char path[512];
    snprintf(path, sizeof path, "%s/sim_gpio%d/pull", sim, offset);
    return open(path, O_WRONLY);
}

static int read_plan(const char *sim)
{
    int n = 0;
    long long at_us;
    memset(files, -1, sizeof files);
    while (n < STEPS && scanf("%lld %d %d", &at_us, &steps[n].offset, &steps[n].pull) == 3) {
        int offset = steps[n].offset;
        if (offset < 0 || offset >= LINES)
            return -1;
        if (files[offset] < 0 && (files[offset] = open_line(sim, offset)) < 0)
            return -1;
        steps[n++].at_ns = at_us * 1000;
    }
    return n;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: press SIM_DIRECTORY PRIORITY <plan\n");
        return 2;
    }
    int n = read_plan(arguments[1]);
    struct sched_param place = {.sched_priority = atoi(arguments[2])};
    if (n < 0 || sched_setscheduler(0, place.sched_priority ? SCHED_FIFO : SCHED_OTHER, &place) != 0) {
        perror("press");
        return 1;
    }
    struct mark start = both();
    struct timespec pause = {0, LEAD_NS};
    nanosleep(&pause, NULL);
    double rate = ns_a_tick(start, both());
    long long start_ns = now_ns() + LEAD_NS;
    for (int i = 0; i < n; i++) {
        const char *pull = steps[i].pull ? "pull-up" : "pull-down";
        size_t length = strlen(pull);
        wait_until(start_ns + steps[i].at_ns, start, rate);
        steps[i].before = ticks();
        long long late_ns = to_ns(steps[i].before, start, rate) - start_ns - steps[i].at_ns;
        start_ns += late_ns > 0 ? late_ns : 0;
        if (pwrite(files[steps[i].offset], pull, length, 0) != (ssize_t)length) {
            perror("press");
            return 1;
        }
        steps[i].after = ticks();
    }
    rate = ns_a_tick(start, both());
    for (int i = 0; i < n; i++)
        printf("%d %d %lld %lld\n", steps[i].offset, steps[i].pull, to_ns(steps[i].before, start, rate),
               to_ns(steps[i].after, start, rate));
    return 0;
}
