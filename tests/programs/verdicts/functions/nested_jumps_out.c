// expect: safe
// why: the jump out of a nested function is never made

extern void reach_error(void);

int main(void) {
    __label__ out;
    int number = 3;
    void leave(int x) {
        if (x > 5)
            goto out;
    }
    leave(4);
    number = 4;
out:
    if (number != 4)
        reach_error();
    return 0;
}
