// rorqual check specs/examples/references-bug.c --spec specs/references.spec
struct object { int kind; };
void get_object(struct object *object);
void put_object(struct object *object);
int __VERIFIER_nondet_int(void);

static int open_object(struct object *object) {
    get_object(object);
    if (__VERIFIER_nondet_int()) {
        put_object(object);
        return -1;
    }
    return 0;
}

int main(void) {
    struct object object;
    if (open_object(&object) <= 0)
        put_object(&object);
    return 0;
}
