/* A lock that is taken and released in turn, after the example in K. L. McMillan, Lazy
 * Abstraction with Interpolants, CAV 2006. No execution calls `reach_error`: to leave the loop,
 * `new` must be `old`, and then the lock was not released. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int locked;

static void lock(void) {
    if (locked)
        reach_error();
    locked = 1;
}

static void unlock(void) {
    if (!locked)
        reach_error();
    locked = 0;
}

int main(void) {
    unsigned new = 0, old;
    do {
        lock();
        old = new;
        if (__VERIFIER_nondet_int()) {
            unlock();
            new++;
        }
    } while (new != old);
    unlock();
    return 0;
}
