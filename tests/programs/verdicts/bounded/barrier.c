// expect: safe
// strategies: auto, bounded
// why: a barrier for compilers does nothing, and there are no negative numbers of arguments

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(int argc, char **argv) {
    int flag = 0, value = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++) {
        flag += value == i;
        __asm__ volatile("" ::: "memory");
    }
    if (flag > 1 || argc < 0 || (!argc && flag > 2))
        reach_error();
    return 0;
}
