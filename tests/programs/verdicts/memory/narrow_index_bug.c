// expect: unsafe
// why: the index of an array is converted before it is used

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static int a[300];

int main(void) {
    unsigned char at = 200;
    signed char back = -1;
    int *p = &a[100];
    a[at + 98] = 1;
    a[(unsigned char)(at + 100)] = 2;
    p[back] = 3;
    check(a[44] == 2 && a[99] == 3 && a[299] == 1);
    return 0;
}
