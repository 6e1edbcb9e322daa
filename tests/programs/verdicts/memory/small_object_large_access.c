// expect: safe
// why: a pointer to a structure may point to something smaller of which only bytes are known

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct node {
    int value;
    struct node *next;
};

int main(void) {
    int x = 1;
    struct node n = {2, &n};
    ((char *)&x)[__VERIFIER_nondet_uint() % 4] = 0;
    struct node *p = __VERIFIER_nondet_int() ? &n : (struct node *)&x;
    int value = p->value;
    if (p == &n)
        p = p->next;
    check(value <= 2 && n.value == 2);
    return 0;
}
