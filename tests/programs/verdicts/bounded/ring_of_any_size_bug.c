// expect: unsafe
// strategies: auto, bounded
// why: one element too many

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned long size = __VERIFIER_nondet_uint();
    if (!(size >= 1 && size <= 4)) {
        return 0;
    }
    unsigned long head = 0, tail = 0, length = 0;
    for (int step = 0; step < 6; step++) {
        if (__VERIFIER_nondet_uint() && length <= size) {
            head = (head + 1) % size;
            length++;
        } else if (length > 0) {
            tail = (tail + 1) % size;
            length--;
        }
        if (head >= size || tail >= size || length > size) {
            reach_error();
        }
    }
    return 0;
}
