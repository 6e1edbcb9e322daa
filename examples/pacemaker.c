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
    ATRIUM_TO_VENTRICLE = 3,  /* from a beat of the atrium to that of the ventricle, at most */
    REFRACTORY = 4,           /* after a beat of the ventricle, beats of the atrium are not followed */
    BLANKING = 2              /* sensing is suspended for so long */
};

enum interrupt { TIME, ATRIAL_BEAT, VENTRICULAR_BEAT, NOTHING };

enum phase {
    WAITING_FOR_ATRIUM,   /* the interval from ventricle to atrium runs */
    WAITING_FOR_VENTRICLE /* the interval from atrium to ventricle runs */
};

/*
 * One electrode: whether beats are sensed; for how many units of time they were not; how many units are left until they are
 * again; and what can be done to it.
 */
#define CHANNEL(chamber)                                                                                               \
    static int chamber##_sensing, chamber##_suspended, chamber##_blanking;                                             \
                                                                                                                       \
    static void switch_on_##chamber(void) {                                                                            \
        chamber##_sensing = 1;                                                                                         \
        chamber##_suspended = 0;                                                                                       \
        chamber##_blanking = 0;                                                                                        \
    }                                                                                                                  \
                                                                                                                       \
    static void suspend_##chamber(int units) {                                                                         \
        check(chamber##_sensing);                                                                                      \
        chamber##_sensing = 0;                                                                                         \
        chamber##_suspended = 0;                                                                                       \
        chamber##_blanking = units;                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    static void resume_##chamber(void) {                                                                               \
        check(!chamber##_sensing);                                                                                     \
        switch_on_##chamber();                                                                                         \
    }                                                                                                                  \
                                                                                                                       \
    /* One unit of time in which nothing is sensed. */                                                                 \
    static void stay_suspended_##chamber(void) {                                                                       \
        chamber##_suspended++;                                                                                         \
        check(chamber##_suspended <= 2);                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    /* One unit of time. */                                                                                            \
    static void pass_##chamber(void) {                                                                                 \
        if (chamber##_sensing)                                                                                         \
            return;                                                                                                    \
        stay_suspended_##chamber();                                                                                    \
        chamber##_blanking--;                                                                                          \
        if (chamber##_blanking <= 0)                                                                                   \
            resume_##chamber();                                                                                        \
    }

static void check(int holds) {
    if (!holds)
        reach_error();
}

CHANNEL(atrium)
CHANNEL(ventricle)

static enum phase phase;
static int since_ventricle; /* units since the last beat of the ventricle */
static int since_atrium;    /* units since the last beat of the atrium */
static int refractory;      /* units in which beats of the atrium are not followed */
static int paced_ventricle; /* whether the last beat of the ventricle in this phase was paced */

/* Sensing. */

static void suspend_both(int ventricle_units) {
    if (ventricle_sensing)
        suspend_ventricle(ventricle_units);
    if (atrium_sensing)
        suspend_atrium(BLANKING);
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
    if (ventricle_sensing)
        suspend_ventricle(BLANKING);
#else
    suspend_both(BLANKING);
#endif
    check(!atrium_sensing);
    start_of_atrium_beat();
}

static void pace_ventricle(void) {
#if FAULT == 2
    suspend_both(BLANKING + 1);
#else
    suspend_both(BLANKING);
#endif
    check(!ventricle_sensing);
    check(!paced_ventricle);
    paced_ventricle = 1;
    start_of_ventricle_beat();
}

/* Interrupts. */

static void on_atrial_beat(void) {
    if (!atrium_sensing || refractory > 0)
        return;
    if (phase == WAITING_FOR_ATRIUM)
        start_of_atrium_beat();
}

static void on_ventricular_beat(void) {
    if (!ventricle_sensing)
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
    pass_atrium();
#if FAULT == 1
    if (phase != WAITING_FOR_VENTRICLE)
        pass_ventricle();
    else if (!ventricle_sensing)
        stay_suspended_ventricle();
#else
    pass_ventricle();
#endif
    count_time();
    if (phase == WAITING_FOR_ATRIUM) {
        if (since_ventricle >= LOWER_RATE_INTERVAL - ATRIUM_TO_VENTRICLE)
            pace_atrium();
    } else if (since_atrium >= ATRIUM_TO_VENTRICLE)
        pace_ventricle();
}

static void switch_on(void) {
    switch_on_atrium();
    switch_on_ventricle();
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
