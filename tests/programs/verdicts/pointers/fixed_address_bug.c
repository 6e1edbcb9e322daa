// expect: unsafe
// why: where a variable is, nobody knows; in all but one place this is a violation

extern void reach_error(void);

int x;

int main(void) {
    if (&x != (int *)0x100000)
        reach_error();
    return 0;
}
