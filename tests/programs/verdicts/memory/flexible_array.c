// expect: safe
// why: a structure that ends with an array of any length

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct packet {
    int length;
    int data[];
};

int main(void) {
    struct packet *p = malloc(sizeof *p + 3 * sizeof p->data[0]);
    p->length = 3;
    for (int i = 0; i < p->length; i++)
        p->data[i] = i * i;
    check(p->length == 3 && p->data[2] == 4);
    return 0;
}
