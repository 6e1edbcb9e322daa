// expect: safe
// why: a barrier has no pointer to anything, so it changes nothing

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int locked;

int main(void) {
    locked = 1;
    __asm__ volatile("mfence" : : : "memory");
    check(locked == 1);
    return 0;
}
