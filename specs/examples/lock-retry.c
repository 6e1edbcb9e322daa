// A request is tried again; every try that fails releases the lock before it waits.
// rorqual check specs/examples/lock-retry.c --spec specs/lock.spec
struct mutex { int owner; };
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
int __VERIFIER_nondet_int(void);

static struct mutex device;

static int submit(int tries) {
    int status = -1;
    while (tries > 0) {
        mutex_lock(&device);
        status = __VERIFIER_nondet_int();
        if (status == 0)
            break;
        mutex_unlock(&device);
        tries--;
    }
    if (status == 0)
        mutex_unlock(&device);
    return status;
}

int main(void) {
    return submit(__VERIFIER_nondet_int());
}
