// The operations of a driver are called through pointers: open takes the lock, close releases it.
// rorqual check specs/examples/lock-operations.c --spec specs/lock.spec
void spin_lock(int *lock);
void spin_unlock(int *lock);
int __VERIFIER_nondet_int(void);

static int lock;
struct operations { void (*open)(int *lock); void (*close)(int *lock); };
static const struct operations driver = { spin_lock, spin_unlock };

int main(void) {
    int is_open = 0;
    while (__VERIFIER_nondet_int()) {
        if (!is_open) {
            driver.open(&lock);
            is_open = 1;
        } else {
            driver.close(&lock);
            is_open = 0;
        }
    }
    if (is_open)
        driver.close(&lock);
    return 0;
}
