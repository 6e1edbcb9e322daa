// A handler of interrupts shares a lock with the rest of the driver, which therefore disables interrupts while it has it.
// rorqual check specs/examples/driver-interrupt.c --spec specs/lock.spec
typedef struct { int raw; } spinlock_t;
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
int __VERIFIER_nondet_int(void);

static spinlock_t device_lock;
static struct { int pending; int handled; } device;
static int is_enabled = 1;

static void handler(void) {
    spin_lock(&device_lock);
    if (device.pending) {
        device.pending = 0;
        device.handled = 1;
    }
    spin_unlock(&device_lock);
}

// Interrupts come whenever they are enabled.
static void interrupts(void) {
    if (is_enabled && __VERIFIER_nondet_int())
        handler();
}

static void lock_irq(spinlock_t *lock) {
    is_enabled = 0;
    spin_lock(lock);
}

static void unlock_irq(spinlock_t *lock) {
    spin_unlock(lock);
    is_enabled = 1;
}

static int submit(int request) {
    int error = 0;
    lock_irq(&device_lock);
    interrupts();
    if (device.pending)
        error = -1;
    else
        device.pending = request;
    interrupts();
    unlock_irq(&device_lock);
    interrupts();
    return error;
}

int main(void) {
    int request;
    while ((request = __VERIFIER_nondet_int()) != 0) {
        if (submit(request) < 0)
            break;
        interrupts();
    }
    return 0;
}
