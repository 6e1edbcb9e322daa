// After the last attempt the loop is left without the lock, which is released once more.
// rorqual check specs/examples/driver-retry-bug.c --spec specs/lock.spec
struct mutex { int owner; };
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
void msleep(unsigned milliseconds);
int __VERIFIER_nondet_int(void);
enum { READY, BUSY, BROKEN, MOST = 10, EIO = 5, EBUSY = 16 };

static struct mutex bus;

static int status(void) {
    int answer = __VERIFIER_nondet_int();
    return answer == READY || answer == BUSY ? answer : BROKEN;
}

static int transfer(void) {
    int error = -EBUSY;
    mutex_lock(&bus);
    for (int attempt = 0; attempt < MOST; attempt++) {
        int now = status();
        if (now == READY) {
            error = 0;
            break;
        }
        if (now == BROKEN) {
            error = -EIO;
            break;
        }
        mutex_unlock(&bus);
        msleep(20);
        if (attempt + 1 == MOST)
            break;
        mutex_lock(&bus);
    }
    mutex_unlock(&bus);
    return error;
}

int main(void) {
    int failures = 0;
    while (__VERIFIER_nondet_int() && failures < 3) {
        if (transfer() < 0)
            failures++;
    }
    return 0;
}
