// expect: safe
// strategies: auto, interpolation
// why: the proof needs what is in memory

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);

struct device {
    int held;
    int users;
};

int main(void) {
    struct device *device = malloc(sizeof *device);
    device->held = 0;
    device->users = 0;
    while (__VERIFIER_nondet_int()) {
        check(device->held == 0);
        device->held = 1;
        device->users++;
        device->held = 0;
    }
    return 0;
}
