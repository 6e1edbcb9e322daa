// expect: safe
// why: a for loop counts

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += i;
    check(sum == 10);
    return 0;
}
