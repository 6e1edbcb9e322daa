/* A driver of a parallel port, rebuilt with a bug of the kind that SLAM was famous for: when the port is taken away while a
 * request waits for it, the request is completed, and then reported as pending. The system completes it once more.
 * rorqual check examples/drivers/parallel-bug.c --spec examples/drivers/requests.spec --spec examples/drivers/spinlock.spec */
enum { STATUS_SUCCESS = 0, STATUS_PENDING = 259, STATUS_NO_PORT = -7, STATUS_CANCELLED = -5 };
typedef unsigned char KIRQL;
struct irp { int status; int length; int cancelled; };
struct extension { int lock; int is_removed; int is_busy; int waiting; };

extern void KeAcquireSpinLock(int *lock, KIRQL *level);
extern void KeReleaseSpinLock(int *lock, KIRQL level);
extern void IoMarkIrpPending(struct irp *irp);
extern void IoCompleteRequest(struct irp *irp, int boost);
extern int port_is_gone(void);
extern int __VERIFIER_nondet_int(void);

static int complete(struct irp *irp, int status) {
    irp->status = status;
    IoCompleteRequest(irp, 0);
    return status;
}

/* Waits for the port, unless there is none any more. */
static int queue_request(struct extension *port, struct irp *irp) {
    KIRQL level;
    KeAcquireSpinLock(&port->lock, &level);
    if (port->is_removed || irp->cancelled) {
        KeReleaseSpinLock(&port->lock, level);
        return complete(irp, port->is_removed ? STATUS_NO_PORT : STATUS_CANCELLED);
    }
    IoMarkIrpPending(irp);
    port->waiting++;
    KeReleaseSpinLock(&port->lock, level);
    return STATUS_PENDING;
}

int dispatch_write(struct extension *port, struct irp *irp) {
    if (irp->length == 0)
        return complete(irp, STATUS_SUCCESS);
    if (port_is_gone())
        port->is_removed = 1;
    if (port->is_busy || port->waiting > 0) {
        queue_request(port, irp);
        return STATUS_PENDING;
    }
    if (port->is_removed)
        return complete(irp, STATUS_NO_PORT);
    port->is_busy = 1;
    int status = __VERIFIER_nondet_int() ? STATUS_SUCCESS : STATUS_CANCELLED;
    port->is_busy = 0;
    return complete(irp, status);
}

int main(void) {
    static struct extension port;
    struct irp irp;
    irp.length = __VERIFIER_nondet_int();
    irp.cancelled = __VERIFIER_nondet_int();
    port.is_busy = __VERIFIER_nondet_int();
    port.waiting = __VERIFIER_nondet_int();
    dispatch_write(&port, &irp);
    return 0;
}
