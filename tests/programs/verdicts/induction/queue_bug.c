// expect: unsafe
// strategies: auto
// why: the length may be one more than the last operation checks

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct queue {
    unsigned char *bytes;
    unsigned capacity, head, length;
};

static void push(struct queue *queue, unsigned char byte) {
    if (queue->length < queue->capacity) {
        queue->bytes[(queue->head + queue->length) % queue->capacity] = byte;
        queue->length++;
    }
}

static void pop(struct queue *queue) {
    if (queue->length > 0) {
        queue->head = (queue->head + 1) % queue->capacity;
        queue->length--;
    }
}

int main(void) {
    struct queue queue = {malloc(6), 6, 0, 0};
    if (!queue.bytes)
        return 0;
    while (__VERIFIER_nondet_int()) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        if (__VERIFIER_nondet_int()) {
            push(&queue, byte);
            if (queue.length == 1 && queue.bytes[queue.head] != byte)
                reach_error();
        } else {
            pop(&queue);
        }
        if (queue.head >= 6 || queue.length > 5)
            reach_error();
    }
    free(queue.bytes);
    return 0;
}
