// expect: unsafe
// why: another function that is called through the same pointer has its own results

#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int seven(int file) {
    (void)file;
    return 7;
}

int main(void) {
    int choice = __VERIFIER_nondet_int();
    int (*end)(int) = choice ? close : seven;
    ssize_t (*get)(int, void *, size_t) = read;
    char text[4];
    int ended = end(3);
    if (ended > 0)
        reach_error();
    if (get(0, text, sizeof text) > 4)
        reach_error();
    return 0;
}
