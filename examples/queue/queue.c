#include "queue.h"

int queue_put(struct queue *queue, int item) {
    if (queue->count == CAPACITY)
        return 0;
    queue->items[(queue->first + queue->count) % CAPACITY] = item;
    queue->count++;
    return 1;
}

int queue_take(struct queue *queue, int *item) {
    if (queue->count == 0)
        return 0;
    *item = queue->items[queue->first];
    queue->first = (queue->first + 1) % CAPACITY;
    queue->count--;
    return 1;
}
