// inputs: 5
// expect: violation at 11:9
// inputs: 4
// expect: finished 0
// A function without body returns any value: an input.
extern int unknown(int, char *);
extern void reach_error(void);

int main(void) {
    if (unknown(1, 0) == 5) {
        reach_error();
    }
    return 0;
}
