/* A queue of at most CAPACITY numbers. */
enum { CAPACITY = 8 };

struct queue {
    int items[CAPACITY];
    unsigned first, count;
};

/* Adds a number at the end. Returns 0 if the queue is full. */
int queue_put(struct queue *queue, int item);

/* Takes the number at the front. Returns 0 if there is none. */
int queue_take(struct queue *queue, int *item);
