// expect: unknown
// why: the violation comes after assembly, which the interpreter does not run

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int locked;

int main(void) {
    locked = 1;
    __asm__ volatile("mfence" : : : "memory");
    check(locked == 0);
    return 0;
}
