// With a stalled device the watchdog goes on without the lock.
// rorqual check specs/examples/driver-trylock-bug.c --spec specs/lock.spec
typedef struct { int raw; } spinlock_t;
void spin_lock_irqsave(spinlock_t *lock, unsigned long flags);
int spin_trylock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
int __VERIFIER_nondet_int(void);

static spinlock_t lock;
static int stalled, resets;

static int watchdog(void) {
    int is_reset = 0;
    if (!spin_trylock(&lock) && !stalled)
        return 0;
    if (!stalled)
        goto out;
    stalled = 0;
    resets++;
    is_reset = 1;
out:
    spin_unlock(&lock);
    return is_reset;
}

static void transmit(int packets) {
    unsigned long flags = 0;
    spin_lock_irqsave(&lock, flags);
    if (packets > 16)
        stalled = 1;
    spin_unlock_irqrestore(&lock, flags);
}

int main(void) {
    int event;
    while ((event = __VERIFIER_nondet_int()) != 0) {
        if (event > 0)
            transmit(event);
        else if (watchdog() && resets > 100)
            break;
    }
    return 0;
}
