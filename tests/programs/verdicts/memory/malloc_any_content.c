// expect: safe
// why: what malloc returns contains anything

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    unsigned char *p = malloc(2);
    p[1] = 4;
    p[0] = 3;
    check(p[1] == 4);
    return 0;
}
