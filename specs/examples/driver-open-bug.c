// When the device cannot be powered up, it is left locked.
// rorqual check specs/examples/driver-open-bug.c --spec specs/lock.spec
#include <stdlib.h>
struct mutex { int owner; };
struct device { struct mutex lock; int users; };
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
int __VERIFIER_nondet_int(void);
static char *buffer;
enum { ENOMEM = 12, EIO = 5, EBUSY = 16 };

static int power_up(struct device *dev) {
    return __VERIFIER_nondet_int() ? -EIO : 0;
}

static int device_open(struct device *dev) {
    int error;
    mutex_lock(&dev->lock);
    if (dev->users > 0) {
        error = -EBUSY;
        goto unlock;
    }
    buffer = malloc(512);
    if (!buffer) {
        error = -ENOMEM;
        goto unlock;
    }
    error = power_up(dev);
    if (error)
        goto release;
    dev->users++;
    mutex_unlock(&dev->lock);
    return 0;
release:
    free(buffer);
    buffer = NULL;
    return error;
unlock:
    mutex_unlock(&dev->lock);
    return error;
}

static void device_close(struct device *dev) {
    mutex_lock(&dev->lock);
    dev->users--;
    free(buffer);
    buffer = NULL;
    mutex_unlock(&dev->lock);
}

int main(void) {
    static struct device device;
    for (int requests = __VERIFIER_nondet_int(); requests > 0; requests--) {
        if (device_open(&device) == 0)
            device_close(&device);
    }
    return 0;
}
