// expect: unsafe
// why: `sizeof` of a bit-field that is assigned to is that of the smallest integer, also with others in a macro

extern void reach_error(void);

struct bits {
    unsigned narrow : 3;
    unsigned wide : 17;
} bits;

#define BOTH(x, y) (sizeof(x) + 16 * sizeof(y))

int main(void) {
    int sizes = BOTH(bits.narrow = 1, bits.wide = 1);
    if (sizes != 0x44)
        reach_error();
    return 0;
}
