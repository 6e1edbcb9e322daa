// expect: safe
// why: a pointer moves by elements

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[3] = { 1, 2, 3 };
    int *p = a;
    p++;
    check(*p == 2 && *(p + 1) == 3 && p - a == 1);
    return 0;
}
