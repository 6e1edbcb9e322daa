/* Any number of calls in any order: the queue is never overfull, and its index stays in the array. */
#include <assert.h>

#include "queue.h"

extern int __VERIFIER_nondet_int(void);

void any_calls(void) {
    struct queue queue = {0};
    int item;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            queue_put(&queue, __VERIFIER_nondet_int());
        else
            queue_take(&queue, &item);
        assert(queue.count <= CAPACITY);
    }
}
