// A bug of the kind that SLAM found in Windows drivers: a request is completed twice, because the routine that
// forwards it has completed it already when it fails.
// rorqual check specs/examples/irp-bug.c --spec specs/irp.spec
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
    if (status != 0)
        complete_request(irp);
    return status;
}

int main(void) {
    struct irp irp;
    dispatch(&irp);
    return 0;
}
