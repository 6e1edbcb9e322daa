// A character device whose operations are called through a table, as by a kernel, in any order.
// rorqual check specs/examples/driver-operations.c --spec specs/lock.spec
struct mutex { int owner; };
struct file { int is_open; unsigned position; };
struct file_operations {
    int (*open)(struct file *file);
    int (*read)(struct file *file, unsigned count);
    int (*write)(struct file *file, unsigned count);
    int (*release)(struct file *file);
};
void mutex_lock(struct mutex *lock);
int mutex_lock_interruptible(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
enum { EFAULT = 14, ERESTARTSYS = 512, EINVAL = 22, SIZE = 4096 };

static struct mutex lock;

static int dev_open(struct file *file) {
    file->is_open = 1;
    file->position = 0;
    return 0;
}

static int copy_to_user(unsigned count) {
    return __VERIFIER_nondet_int() != 0;
}

static int dev_read(struct file *file, unsigned count) {
    int result;
    if (mutex_lock_interruptible(&lock))
        return -ERESTARTSYS;
    if (count > SIZE - file->position)
        count = SIZE - file->position;
    if (copy_to_user(count)) {
        result = -EFAULT;
        goto out;
    }
    file->position += count;
    result = (int)count;
out:
    mutex_unlock(&lock);
    return result;
}

static int dev_write(struct file *file, unsigned count) {
    if (count > SIZE)
        return -EINVAL;
    mutex_lock(&lock);
    if (file->position > SIZE - count) {
        mutex_unlock(&lock);
        return -EINVAL;
    }
    file->position += count;
    mutex_unlock(&lock);
    return (int)count;
}

static int dev_release(struct file *file) {
    file->is_open = 0;
    return 0;
}

static const struct file_operations operations = { dev_open, dev_read, dev_write, dev_release };

int main(void) {
    struct file file = { 0, 0 };
    int command;
    while ((command = __VERIFIER_nondet_int()) != 0) {
        if (!file.is_open)
            operations.open(&file);
        else if (command == 1)
            operations.read(&file, __VERIFIER_nondet_uint());
        else if (command == 2)
            operations.write(&file, __VERIFIER_nondet_uint());
        else
            operations.release(&file);
    }
    return 0;
}
