// expect: safe
// why: memmove shifts the elements of an array

extern void *memmove(void *, const void *, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int a[4] = {1, 2, 3, 4};
    memmove(a + 1, a, 3 * sizeof *a);
    check(a[0] == 1 && a[1] == 1 && a[2] == 2 && a[3] == 3);
    return 0;
}
