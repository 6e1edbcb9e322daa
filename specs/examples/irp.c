// The same driver, corrected: who forwards a request completes it.
// rorqual check specs/examples/irp.c --spec specs/irp.spec
struct irp { int status; };
void complete_request(struct irp *irp);
int __VERIFIER_nondet_int(void);

static int forward(struct irp *irp) {
    irp->status = __VERIFIER_nondet_int();
    if (irp->status < 0) {
        complete_request(irp);
        return irp->status;
    }
    return 0;
}

static int dispatch(struct irp *irp) {
    int status = forward(irp);
    return status;
}

int main(void) {
    struct irp irp;
    dispatch(&irp);
    return 0;
}
