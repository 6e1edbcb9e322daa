// rorqual check specs/examples/interrupts.c --spec specs/interrupts.spec
void local_irq_disable(void);
void local_irq_enable(void);
void schedule(void);
int __VERIFIER_nondet_int(void);

static void update(int *shared, int value) {
    local_irq_disable();
    *shared = value;
    local_irq_enable();
}

int main(void) {
    int shared = 0;
    while (__VERIFIER_nondet_int()) {
        update(&shared, __VERIFIER_nondet_int());
        schedule();
    }
    return 0;
}
