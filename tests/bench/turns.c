/* How long a cache line takes from one CPU to another: two threads write a word in turn, each when it has seen the other's value. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <time.h>

#define TURNS 2000

struct side {
	int cpu, first;
	double passed;	/* nanoseconds since its first turn */
};

static uint64_t turn __attribute__((aligned(128)));

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static void *take_turns(void *given)
{
	struct side *side = given;
	double start = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(side->cpu, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	for (uint64_t next = side->first; next < TURNS; next += 2) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != next)
			;
		if (next == 1)
			start = now();
		__atomic_store_n(&turn, next + 1, __ATOMIC_RELEASE);
	}
	side->passed = now() - start;
	return NULL;
}

/* Nanoseconds of a turn: the least of many runs, since either thread may have to wait for its CPU. */
double nanoseconds_of_a_turn(int cpu, int other, int runs)
{
	double least = 1e9;

	for (int run = 0; run < runs; run++) {
		struct side sides[2] = {{cpu, 0}, {other, 1}};
		pthread_t threads[2];

		turn = 0;
		for (int n = 0; n < 2; n++)
			if (pthread_create(&threads[n], NULL, take_turns, &sides[n]))
				return 0;
		for (int n = 0; n < 2; n++)
			pthread_join(threads[n], NULL);
		if (sides[1].passed / TURNS < least)
			least = sides[1].passed / TURNS;
	}
	return least;
}
