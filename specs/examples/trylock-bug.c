// The example of BLAST's papers, with the bug of real drivers: the loop is left with `continue` while the lock is held.
// rorqual check specs/examples/trylock-bug.c --spec specs/lock.spec
struct mutex { int owner; };
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
int __VERIFIER_nondet_int(void);

static struct mutex queue;

int main(void) {
    int packets, old;
    packets = __VERIFIER_nondet_int();
    do {
        mutex_lock(&queue);
        old = packets;
        int request = __VERIFIER_nondet_int();
        if (request) {
            if (request == -1) {
                packets++;
                continue;
            }
            mutex_unlock(&queue);
            packets++;
        }
    } while (packets != old);
    mutex_unlock(&queue);
    return 0;
}
