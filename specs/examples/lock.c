// The lock of a driver is released on all ways out of a request.
// rorqual check specs/examples/lock.c --spec specs/lock.spec
struct mutex { int owner; };
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
int __VERIFIER_nondet_int(void);

static struct mutex device;

static int request(int size) {
    mutex_lock(&device);
    if (size < 0) {
        mutex_unlock(&device);
        return -1;
    }
    mutex_unlock(&device);
    return size;
}

int main(void) {
    while (__VERIFIER_nondet_int())
        request(__VERIFIER_nondet_int());
    return 0;
}
