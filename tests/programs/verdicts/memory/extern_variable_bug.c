// expect: unsafe
// why: a variable that is defined elsewhere has any value

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


extern int configured;
extern int table[4];

int main(void) {
    int *p = &configured;
    int old = configured;
    table[1] = 3;
    *p = old + 1;
    check(configured == old && table[1] == 3);
    return 0;
}
