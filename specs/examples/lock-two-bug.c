// Two locks, nested: the outer one is released twice for some values that are not 0.
// rorqual check specs/examples/lock-two-bug.c --spec specs/lock.spec
struct mutex { int owner; };
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
int __VERIFIER_nondet_int(void);

static struct mutex bus, device;

static void transfer(int early) {
    mutex_lock(&bus);
    mutex_lock(&device);
    if (early)
        mutex_unlock(&bus);
    mutex_unlock(&device);
    if (early != 1)
        mutex_unlock(&bus);
}

int main(void) {
    while (__VERIFIER_nondet_int())
        transfer(__VERIFIER_nondet_int());
    return 0;
}
