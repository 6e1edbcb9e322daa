/*
 * A pacemaker in the mode DDD: both chambers of the heart are sensed and paced, and a beat of the atrium is followed by a
 * beat of the ventricle.
 *
 * The program has no clock of its own. It is driven by interrupts: one for each unit of time, one for each beat that an
 * electrode senses, and one from the programmer, who asks for a check of the leads. While a chamber is paced, or a lead is
 * measured, sensing is suspended in both chambers, because the pulse would be taken for a beat; then it must be resumed. If
 * the atrium beats too fast, beats of the atrium are not followed (mode DDI) until it calms down. The properties:
 *
 *   - sensing is suspended only while it is on, and resumed only while it is suspended;
 *   - sensing of a chamber is not suspended for more than two units of time;
 *   - no chamber is paced, and no lead measured, while its sensing is on;
 *   - the ventricle is not paced twice without a beat of the atrium, or the end of the interval, between;
 *   - the ventricle is not paced faster than the upper rate allows.
 *
 *   rorqual check examples/pacemaker.c --engine whale
 *   rorqual check examples/pacemaker.c -DFAULT=1
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
    UPPER_RATE_INTERVAL = 5,  /* from one beat of the ventricle to a pace that follows the atrium, at least */
    ATRIUM_TO_VENTRICLE = 3,  /* from a beat of the atrium to that of the ventricle, at most */
    SAFETY_DELAY = 1,         /* the same, if a beat of the ventricle may be the echo of a pulse */
    REFRACTORY = 4,           /* after a beat of the ventricle, beats of the atrium are not followed */
    LONG_REFRACTORY = 6,      /* the same, after a beat of the ventricle that came too early */
    FAST_ATRIUM = 4,          /* beats of the atrium are too fast if they follow each other within so many units */
    BLANKING = 2,             /* sensing is suspended for so long after a pace */
    MEASURING = 1             /* sensing is suspended for so long while a lead is measured */
};

enum {
    MOST_FAST_BEATS = 3,                  /* after so many fast beats, the atrium is not followed any more */
    LEAST_OHMS = 200, MOST_OHMS = 2000    /* what a good lead has */
};

enum interrupt { TIME, ATRIAL_BEAT, VENTRICULAR_BEAT, PROGRAMMER };

enum mode {
    DDD, /* beats of the atrium are followed */
    DDI  /* they are not */
};

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

static enum mode mode;
static enum phase phase;
static int since_ventricle; /* units since the last beat of the ventricle */
static int since_atrium;    /* units since the last beat of the atrium */
static int delay;           /* units from the last beat of the atrium to that of the ventricle */
static int refractory;      /* units in which beats of the atrium are not followed */
static int fast_beats;      /* how many of the last beats of the atrium were too fast */
static int atrium_is_paced; /* whether the interval from atrium to ventricle began with a pulse */
static int paced_ventricle; /* whether the last beat of the ventricle in this phase was paced */
static int leads_are_good;

/* Sensing. */

static void suspend_both(int ventricle_units, int atrium_units) {
    if (ventricle_sensing)
        suspend_ventricle(ventricle_units);
    if (atrium_sensing)
        suspend_atrium(atrium_units);
}

static int both_are_sensed(void) {
    return atrium_sensing && ventricle_sensing;
}

/* Beats, sensed or paced. */

static void start_of_ventricle_beat(int refractory_units) {
    since_ventricle = 0;
    refractory = refractory_units;
    phase = WAITING_FOR_ATRIUM;
}

static void start_of_atrium_beat(int is_paced) {
    since_atrium = 0;
    delay = ATRIUM_TO_VENTRICLE;
    atrium_is_paced = is_paced;
    phase = WAITING_FOR_VENTRICLE;
    paced_ventricle = 0;
}

/* Pacing. */

static void pace_atrium(void) {
#if FAULT == 3
    if (ventricle_sensing)
        suspend_ventricle(BLANKING);
#else
    suspend_both(BLANKING, BLANKING);
#endif
    check(!atrium_sensing);
    start_of_atrium_beat(1);
}

static void pace_ventricle(void) {
#if FAULT == 2
    suspend_both(BLANKING + 1, BLANKING);
#else
    suspend_both(BLANKING, BLANKING);
#endif
    check(!ventricle_sensing);
    check(!paced_ventricle);
    check(since_ventricle >= UPPER_RATE_INTERVAL);
    paced_ventricle = 1;
    start_of_ventricle_beat(REFRACTORY);
}

/* The mode. */

static void follow_atrium(void) {
    mode = DDD;
    fast_beats = 0;
}

static void count_fast_beat(void) {
    if (fast_beats < MOST_FAST_BEATS)
        fast_beats++;
    else
        mode = DDI;
}

/* Fast beats are counted also where they are not followed. */
static void watch_atrium(void) {
    if (since_atrium < FAST_ATRIUM)
        count_fast_beat();
    else if (fast_beats > 0)
        fast_beats--;
    else
        follow_atrium();
}

/* The leads. */

static int is_good(int ohms) {
    return LEAST_OHMS <= ohms && ohms <= MOST_OHMS;
}

/* A pulse that is too weak for a beat; it is left for later if a pace is under way. */
static void measure_leads(void) {
    if (!both_are_sensed())
        return;
    suspend_both(MEASURING, MEASURING);
    check(!atrium_sensing && !ventricle_sensing);
    leads_are_good = is_good(__VERIFIER_nondet_int()) && is_good(__VERIFIER_nondet_int());
    if (!leads_are_good)
        follow_atrium();
}

/* Interrupts. */

static void on_atrial_beat(void) {
    if (!atrium_sensing)
        return;
    watch_atrium();
    if (refractory > 0 || mode == DDI)
        return;
    if (phase == WAITING_FOR_ATRIUM)
        start_of_atrium_beat(0);
}

/* Whether a beat of the ventricle comes so soon after a pulse to the atrium that it may be an echo of that. */
static int may_be_echo(void) {
    return phase == WAITING_FOR_VENTRICLE && atrium_is_paced && since_atrium <= SAFETY_DELAY;
}

static void on_ventricular_beat(void) {
    if (!ventricle_sensing)
        return;
    if (may_be_echo()) {
        delay = SAFETY_DELAY;
        return;
    }
#if FAULT == 4
    since_ventricle = 0;
    refractory = REFRACTORY;
    paced_ventricle = 1;
#else
    if (phase == WAITING_FOR_ATRIUM)
        start_of_ventricle_beat(LONG_REFRACTORY);
    else
        start_of_ventricle_beat(REFRACTORY);
#endif
}

static void count_time(void) {
    if (since_ventricle < LOWER_RATE_INTERVAL)
        since_ventricle++;
    if (since_atrium < FAST_ATRIUM)
        since_atrium++;
    if (refractory > 0)
        refractory--;
}

static void pace_if_due(void) {
    if (phase == WAITING_FOR_ATRIUM) {
        if (since_ventricle >= LOWER_RATE_INTERVAL - ATRIUM_TO_VENTRICLE)
            pace_atrium();
    } else if (since_atrium >= delay && since_ventricle >= UPPER_RATE_INTERVAL)
        pace_ventricle();
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
    pace_if_due();
}

static void switch_on(void) {
    switch_on_atrium();
    switch_on_ventricle();
    follow_atrium();
    start_of_ventricle_beat(REFRACTORY);
    since_atrium = 0;
    delay = ATRIUM_TO_VENTRICLE;
    atrium_is_paced = 0;
    paced_ventricle = 0;
    leads_are_good = 1;
}

int main(void) {
    switch_on();
    for (;;) {
        switch (__VERIFIER_nondet_int()) {
        case TIME:
            on_time();
            break;
        case ATRIAL_BEAT:
            on_atrial_beat();
            break;
        case VENTRICULAR_BEAT:
            on_ventricular_beat();
            break;
        case PROGRAMMER:
            measure_leads();
            break;
        default:
            break;
        }
    }
}
