// expect: unsafe
// strategies: auto, bounded
// why: eight of many inputs must be the right ones

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct queue {
    unsigned char bytes[8];
    unsigned head, length;
};

int main(void) {
    struct queue queue = {{0}, 0, 0};
    for (int step = 0; step < 16 && __VERIFIER_nondet_int(); step++) {
        if (__VERIFIER_nondet_int()) {
            if (queue.length < 8) {
                queue.bytes[(queue.head + queue.length) % 8] = __VERIFIER_nondet_uchar();
                queue.length++;
            }
        } else if (queue.length) {
            queue.head = (queue.head + 1) % 8;
            queue.length--;
        }
        if (queue.length > 7 || queue.head > 7)
            reach_error();
    }
    return 0;
}
