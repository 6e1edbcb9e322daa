// expect: safe
// strategies: auto, interpolation
// why: the proof does not depend on what is in memory

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);

struct device {
    char name[40];
    void *private;
    int users;
};

static int held;

static void lock(void) {
    check(held == 0);
    held = 1;
}

static void unlock(void) {
    check(held == 1);
    held = 0;
}

static int use(struct device *device, int request) {
    short *half = (short *)device->private;
    half[request & 7] = (short)request;
    lock();
    if (half[0] > 5 && device->name[request & 31] == 'x')
        device->users++;
    unlock();
    return half[2];
}

int main(void) {
    struct device *device = malloc(sizeof *device);
    device->private = malloc(64);
    *(long *)device->private = 7;
    while (__VERIFIER_nondet_int())
        use(device, __VERIFIER_nondet_int());
    check(held == 0);
    return 0;
}
