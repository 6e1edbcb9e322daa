// expect: unsafe
// why: memcpy of a structure to allocated memory and back

extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct message {
    int length;
    unsigned char data[3];
    struct message *reply;
};

int main(void) {
    struct message a = {2, {7, 8, 9}, 0}, b;
    struct message *p = malloc(sizeof *p);
    memcpy(p, &a, sizeof a);
    p->reply = &a;
    memcpy(&b, p, sizeof b);
    b.reply->length = 5;
    check(a.length == 2 && b.length == 2 && b.data[2] == 9);
    return 0;
}
