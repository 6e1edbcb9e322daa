// expect: safe
// strategies: auto, bounded
// why: an error function that is registered to run when the program ends

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int atexit(void (*)(void));

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 7)
        return 0;
    if (n > 9)
        atexit(reach_error);
    return n;
}
