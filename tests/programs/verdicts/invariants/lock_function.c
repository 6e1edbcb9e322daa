// expect: safe
// strategies: auto, interpolation
// why: the same lock, taken and released by functions

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int locked;

static void lock(void) {
    check(!locked);
    locked = 1;
}

static void unlock(void) {
    check(locked);
    locked = 0;
}

int main(void) {
    unsigned new = 0, old;
    do {
        lock();
        old = new;
        if (__VERIFIER_nondet_bool()) {
            unlock();
            new++;
        }
    } while (new != old);
    unlock();
    return 0;
}
