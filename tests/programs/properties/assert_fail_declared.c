// inputs: 1
// expect: violation at 11:9
// inputs: 0
// expect: finished 0
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int()) {
        __assert_fail("0", "file.c", 10, "main");
    }
    return 0;
}
