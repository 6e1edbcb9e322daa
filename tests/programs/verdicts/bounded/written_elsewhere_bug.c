// expect: unsafe
// strategies: auto, bounded
// why: what is left alone is an input

struct node {
    struct node *next;
    int value;
};

extern int __VERIFIER_nondet_int(void);
extern void fill(struct node *first);
extern void reach_error(void);

int main(void) {
    struct node last = {0, 1}, first = {&last, 2}, other = {0, __VERIFIER_nondet_int()};
    int kept = other.value;
    fill(&first);
    if (other.value == 3)
        reach_error();
    return 0;
}
