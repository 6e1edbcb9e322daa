// expect: unsafe
// why: what malloc returns contains anything, which is an input

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    unsigned char *p = malloc(2);
    
    p[0] = 3;
    check(p[1] == 4);
    return 0;
}
