// expect: unknown
// why: a jump out of a nested function is made, which is not supported

extern void reach_error(void);

int main(void) {
    __label__ out;
    int number = 3;
    void leave(int x) {
        if (x > 5)
            goto out;
    }
    leave(6);
    number = 4;
out:
    if (number != 4)
        reach_error();
    return 0;
}
