// expect: unknown
// strategies: auto, interpolation, bounded
// why: a union shows the address of an object that has ended as a number

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *malloc(__SIZE_TYPE__);
void free(void *);

union either {
    int *pointer;
    __UINTPTR_TYPE__ number;
};

int main(void) {
    union either old, new;
    old.pointer = malloc(4);
    free(old.pointer);
    new.pointer = malloc(4);
    check(old.number != new.number);
    return 0;
}
