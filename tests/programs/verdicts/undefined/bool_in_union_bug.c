// expect: unknown
// why: a `_Bool` that holds 2 may be true or false

extern void reach_error(void);

union {
    unsigned char byte;
    _Bool truth;
} u;

int main(void) {
    u.byte = 2;
    if (u.truth)
        reach_error();
    return 0;
}
