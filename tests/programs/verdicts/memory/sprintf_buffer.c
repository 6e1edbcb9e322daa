// expect: safe
// why: only the buffer is written

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

extern int sprintf(char *buffer, const char *format, ...);
extern int __VERIFIER_nondet_int(void);

static int lives;

int main(void) {
    char buffer[40];
    int *p = &lives;
    *p = 3;
    sprintf(buffer, "%d", __VERIFIER_nondet_int());
    check(lives == 3);
    return 0;
}
