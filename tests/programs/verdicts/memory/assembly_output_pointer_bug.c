// expect: unknown
// why: the assembly may store one of its inputs in its output

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int first, second;

int main(void) {
    int *p = &first;
    __asm__("mov %1, %0" : "=r"(p) : "r"(&second));
    *p = 1;
    check(second == 0);
    return 0;
}
