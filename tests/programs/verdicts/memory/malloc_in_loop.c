// expect: safe
// strategies: auto, bounded
// why: each turn of a loop allocates another object

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int *all[3];
    for (int i = 0; i < 3; i++) {
        all[i] = malloc(sizeof(int));
        *all[i] = i;
    }
    *all[1] = 7;
    check(all[0] != all[2] && *all[0] == 0 && *all[2] == 2);
    return 0;
}
