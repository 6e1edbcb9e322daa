/* A ring buffer. Numbers come out in the order in which they went in. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

enum { SIZE = 4 };

struct ring {
    unsigned items[SIZE];
    unsigned first, count;
};

static int put(struct ring *ring, unsigned item) {
    if (ring->count == SIZE)
        return 0;
    ring->items[(ring->first + ring->count++) % SIZE] = item;
    return 1;
}

static int take(struct ring *ring, unsigned *item) {
    if (ring->count == 0)
        return 0;
    *item = ring->items[ring->first];
    ring->first = (ring->first + 1) % SIZE;
    ring->count--;
    return 1;
}

int main(void) {
    struct ring ring = {0};
    unsigned next_in = 0, next_out = 0, item;
    for (int round = 0; round < 100; round++) {
        if (__VERIFIER_nondet_uint() % 2) {
            if (put(&ring, next_in))
                next_in++;
        } else if (take(&ring, &item)) {
            assert(item == next_out);
            next_out++;
        }
    }
    return 0;
}
