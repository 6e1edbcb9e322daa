// Memory is allocated with a flag that says whether to sleep is allowed.
// rorqual check specs/examples/atomic.c --spec specs/atomic.spec
void spin_lock(int *lock);
void spin_unlock(int *lock);
void *kmalloc(unsigned long size, int flags);
int __VERIFIER_nondet_int(void);
enum { GFP_ATOMIC = 0, GFP_KERNEL = 1 };
static int lock;

static void *allocate(int is_atomic) { return kmalloc(64, is_atomic ? GFP_ATOMIC : GFP_KERNEL); }

int main(void) {
    int in_interrupt = __VERIFIER_nondet_int();
    if (in_interrupt)
        spin_lock(&lock);
    void *memory = allocate(in_interrupt);
    if (in_interrupt)
        spin_unlock(&lock);
    return memory != 0;
}
