// expect: unsafe
// why: a pointer goes into a union as one type and comes out as another

extern void reach_error(void);

union u {
    int *i;
    char *c;
};

int main(void) {
    int x = 5;
    union u u;
    u.i = &x;
    if (*u.c == 5)
        reach_error();
    return 0;
}
