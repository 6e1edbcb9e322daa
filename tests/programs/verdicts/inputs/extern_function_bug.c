// expect: unsafe
// why: the result may be any

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

extern int unknown_to_all(void);

int main(void) {
    int g = 1;
    int r = unknown_to_all();
    check(g == 1 && r != 5);
    return 0;
}
