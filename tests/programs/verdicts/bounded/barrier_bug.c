// expect: unsafe
// strategies: auto, bounded
// why: one of the numbers may be met

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(int argc, char **argv) {
    int flag = 0, value = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++) {
        flag += value == i;
        __asm__ volatile("" ::: "memory");
    }
    if (flag > 0 || argc < 0 || (!argc && flag > 2))
        reach_error();
    return 0;
}
