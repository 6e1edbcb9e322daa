// The label is one line too early: with nothing to do, a lock is released that was not taken.
// rorqual check specs/examples/driver-queues-bug.c --spec specs/lock.spec
typedef struct { int raw; } spinlock_t;
struct queue { spinlock_t lock; int length; };
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
int __VERIFIER_nondet_int(void);

static struct queue waiting, active;

static int start_one(void) {
    int started = 0;
    spin_lock(&waiting.lock);
    if (waiting.length == 0)
        goto out;
    spin_lock(&active.lock);
    if (active.length < 8) {
        waiting.length--;
        active.length++;
        started = 1;
    }
out:
    spin_unlock(&active.lock);
    spin_unlock(&waiting.lock);
    return started;
}

static void submit(void) {
    spin_lock(&waiting.lock);
    if (waiting.length < 64)
        waiting.length++;
    spin_unlock(&waiting.lock);
}

static void complete(void) {
    spin_lock(&active.lock);
    if (active.length > 0)
        active.length--;
    spin_unlock(&active.lock);
}

int main(void) {
    int event;
    while ((event = __VERIFIER_nondet_int()) != 0) {
        switch (event) {
        case 1:
            submit();
            break;
        case 2:
            complete();
            break;
        default:
            while (start_one())
                ;
        }
    }
    return 0;
}
