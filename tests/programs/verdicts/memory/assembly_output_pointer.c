// expect: safe
// why: none of its inputs leads to the third variable

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int first, second, third;

int main(void) {
    int *p = &first;
    __asm__("mov %1, %0" : "=r"(p) : "r"(&second));
    *p = 1;
    check(third == 0);
    return 0;
}
