// expect: safe
// why: memset clears a part of an array

extern void *memset(void *, int, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    memset(a, 0, 3 * sizeof *a);
    check(a[2] == 0 && a[3] == 4);
    return 0;
}
