/*
 * A pacemaker in the mode DDD: both chambers of the heart are sensed and paced, and a beat of the atrium is followed by a
 * beat of the ventricle.
 *
 * The program has no clock of its own. It is driven by interrupts: one for each unit of time, and one for each beat that an
 * electrode senses. While a chamber is paced, sensing is suspended in both chambers, because the pulse would be taken for a
 * beat; then it must be resumed. The properties:
 *
 *   - sensing is suspended only while it is on, and resumed only while it is suspended;
 *   - sensing of a chamber is not suspended for more than two units of time;
 *   - no chamber is paced while its sensing is on;
 *   - the ventricle is not paced twice without a beat of the atrium, or the end of the interval, between.
 *
 *   rorqual check examples/pacemaker.c
 *   rorqual check examples/pacemaker.c -DFAULT=1 --engine whale
 *
 * With FAULT from 1 to 4, a mistake is in it:
 *
 *   1  sensing of the ventricle is not resumed after a pace of the atrium
 *   2  the blanking time of the ventricle is one unit too long
 *   3  the atrium is paced without suspending the sensing of the atrium
 *   4  a sensed beat of the ventricle does not end the interval from atrium to ventricle
 */

#ifndef FAULT
#define FAULT 0
#endif

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* Units of time. */
enum {
    LOWER_RATE_INTERVAL = 10, /* from one beat of the ventricle to the next, at most */
    ATRIUM_TO_VENTRICLE = 3, /* from a beat of the atrium to that of the ventricle, at most */
    REFRACTORY = 4,          /* after a beat of the ventricle, beats of the atrium are not followed */
    BLANKING = 2               /* sensing is suspended for so long */
};

enum interrupt { TIME, ATRIAL_BEAT, VENTRICULAR_BEAT, NOTHING };

enum phase {
    WAITING_FOR_ATRIUM,   /* the interval from ventricle to atrium runs */
    WAITING_FOR_VENTRICLE /* the interval from atrium to ventricle runs */
};

/* One electrode. */
struct channel {
    int sensing;   /* whether beats are sensed */
    int suspended; /* for how many units of time they were not */
    int blanking;  /* how many units are left until they are again */
};

static struct channel atrium, ventricle;
static enum phase phase;
static int since_ventricle; /* units since the last beat of the ventricle */
static int since_atrium;    /* units since the last beat of the atrium */
static int refractory;      /* units in which beats of the atrium are not followed */
static int paced_ventricle; /* whether the last beat of the ventricle in this phase was paced */

static void check(int holds) {
    if (!holds)
        reach_error();
}

/* Sensing. */

static void suspend(struct channel *channel, int units) {
    check(channel->sensing);
    channel->sensing = 0;
    channel->suspended = 0;
    channel->blanking = units;
}

static void resume(struct channel *channel) {
    check(!channel->sensing);
    channel->sensing = 1;
    channel->suspended = 0;
    channel->blanking = 0;
}

/* One unit of time in a channel. */
static void pass(struct channel *channel) {
    if (channel->sensing)
        return;
    channel->suspended++;
    check(channel->suspended <= 2);
    channel->blanking--;
    if (channel->blanking <= 0)
        resume(channel);
}

static void suspend_both(int ventricle_units) {
    if (ventricle.sensing)
        suspend(&ventricle, ventricle_units);
    if (atrium.sensing)
        suspend(&atrium, BLANKING);
}

/* Pacing. */

static void start_of_ventricle_beat(void) {
    since_ventricle = 0;
    refractory = REFRACTORY;
    phase = WAITING_FOR_ATRIUM;
}

static void start_of_atrium_beat(void) {
    since_atrium = 0;
    phase = WAITING_FOR_VENTRICLE;
    paced_ventricle = 0;
}

static void pace_atrium(void) {
#if FAULT == 3
    if (ventricle.sensing)
        suspend(&ventricle, BLANKING);
#else
    suspend_both(BLANKING);
#endif
    check(!atrium.sensing);
    start_of_atrium_beat();
}

static void pace_ventricle(void) {
#if FAULT == 2
    suspend_both(BLANKING + 1);
#else
    suspend_both(BLANKING);
#endif
    check(!ventricle.sensing);
    check(!paced_ventricle);
    paced_ventricle = 1;
    start_of_ventricle_beat();
}

/* Interrupts. */

static void on_atrial_beat(void) {
    if (!atrium.sensing || refractory > 0)
        return;
    if (phase == WAITING_FOR_ATRIUM)
        start_of_atrium_beat();
}

static void on_ventricular_beat(void) {
    if (!ventricle.sensing)
        return;
#if FAULT == 4
    since_ventricle = 0;
    refractory = REFRACTORY;
    paced_ventricle = 1;
#else
    start_of_ventricle_beat();
#endif
}

static void count_time(void) {
    if (since_ventricle < LOWER_RATE_INTERVAL)
        since_ventricle++;
    if (since_atrium < ATRIUM_TO_VENTRICLE)
        since_atrium++;
    if (refractory > 0)
        refractory--;
}

static void on_time(void) {
    pass(&atrium);
#if FAULT == 1
    if (phase != WAITING_FOR_VENTRICLE)
        pass(&ventricle);
    else if (!ventricle.sensing) {
        ventricle.suspended++;
        check(ventricle.suspended <= 2);
    }
#else
    pass(&ventricle);
#endif
    count_time();
    if (phase == WAITING_FOR_ATRIUM) {
        if (since_ventricle >= LOWER_RATE_INTERVAL - ATRIUM_TO_VENTRICLE)
            pace_atrium();
    } else if (since_atrium >= ATRIUM_TO_VENTRICLE)
        pace_ventricle();
}

static void switch_on(void) {
    atrium.sensing = 1;
    atrium.suspended = 0;
    atrium.blanking = 0;
    ventricle.sensing = 1;
    ventricle.suspended = 0;
    ventricle.blanking = 0;
    phase = WAITING_FOR_ATRIUM;
    since_ventricle = 0;
    since_atrium = 0;
    refractory = 0;
    paced_ventricle = 0;
}

int main(void) {
    switch_on();
    for (;;) {
        int interrupt = __VERIFIER_nondet_int();
        if (interrupt == TIME)
            on_time();
        else if (interrupt == ATRIAL_BEAT)
            on_atrial_beat();
        else if (interrupt == VENTRICULAR_BEAT)
            on_ventricular_beat();
    }
}
