// expect: unsafe
// why: a loop keeps that a parameter is the address of a global variable, and another call passes another one

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct card {
    int lock;
    int used;
};

static struct card card, other;
static int held;

static void take(int *lock) {
    if (lock == &card.lock)
        held = 1;
}

static void give(int *lock) {
    if (lock == &card.lock)
        held = 0;
}

static void interrupt(struct card *one) {
    take(&one->lock);
    while (one->used > 0 && __VERIFIER_nondet_int())
        one->used--;
    give(&one->lock);
    if (held)
        reach_error();
}

int main(void) {
    card.used = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int())
        interrupt(&card), take(&card.lock), interrupt(&other);
    if (held)
        reach_error();
    return 0;
}
