// expect: safe
// strategies: auto, interpolation
// why: what follows an endless loop is not reached

extern void reach_error(void);

int main(void) {
    for (;;)
        ;
    reach_error();
    return 0;
}
