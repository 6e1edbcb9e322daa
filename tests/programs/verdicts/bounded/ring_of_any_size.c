// expect: safe
// strategies: auto, bounded
// why: divisions by an input that is known to be small

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned long size = __VERIFIER_nondet_uint();
    if (!(size >= 1 && size <= 4)) {
        return 0;
    }
    unsigned long head = 0, tail = 0, length = 0;
    for (int step = 0; step < 6; step++) {
        if (__VERIFIER_nondet_uint() && length < size) {
            head = (head + 1) % size;
            length++;
        } else if (length > 0) {
            tail = (tail + 1) % size;
            length--;
        }
        if (head >= size || tail >= size || (tail + length) % size != head) {
            reach_error();
        }
    }
    return 0;
}
