// expect: safe
// strategies: auto, interpolation, summaries; bounded = unknown
// why: each of six stations has a mode and a state, and who may run says how often the parcel was stamped

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { ASLEEP, READY };

static int hub = READY, a = READY, b = READY, c = READY, d = READY, e = READY;
static int hub_waits, a_waits, b_waits, c_waits, d_waits, e_waits;
static unsigned stamps, sent;

static void run_hub(void) {
    if (hub_waits && stamps != sent + 5)
        reach_error();
    stamps = (unsigned)__VERIFIER_nondet_int();
    sent = stamps;
    if (a_waits)
        a = READY;
    hub_waits = 1;
    hub = ASLEEP;
}

static void run(int *own, int *waits, int *next, int next_waits) {
    if (*waits) {
        stamps++;
        if (next_waits)
            *next = READY;
    }
    *waits = 1;
    *own = ASLEEP;
}

int main(void) {
    while (hub == READY || a == READY || b == READY || c == READY || d == READY || e == READY) {
        if (hub == READY && __VERIFIER_nondet_int())
            run_hub();
        if (a == READY && __VERIFIER_nondet_int())
            run(&a, &a_waits, &b, b_waits);
        if (b == READY && __VERIFIER_nondet_int())
            run(&b, &b_waits, &c, c_waits);
        if (c == READY && __VERIFIER_nondet_int())
            run(&c, &c_waits, &d, d_waits);
        if (d == READY && __VERIFIER_nondet_int())
            run(&d, &d_waits, &e, e_waits);
        if (e == READY && __VERIFIER_nondet_int())
            run(&e, &e_waits, &hub, hub_waits);
    }
    return 0;
}
