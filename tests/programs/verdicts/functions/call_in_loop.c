// expect: safe
// why: a call in a loop works on globals

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int count;

static void step(void) { count++; }

int main(void) {
    for (int i = 0; i < 4; i++)
        step();
    check(count == 4);
    return 0;
}
