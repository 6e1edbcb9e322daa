// expect: unsafe
// why: members of a union in allocated memory overlap

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


union mix {
    int number;
    short half[2];
    struct {
        char low, next;
    } bytes;
};

int main(void) {
    union mix *p = malloc(2 * sizeof *p);
    p[1].number = 0x00030201;
    p[0].number = 0;
    check(p[1].half[1] == 3 && p[1].bytes.next == 2);
    p[1].half[0] = 0;
    check(p[1].number == 0x30201 && p[0].bytes.low == 0);
    return 0;
}
