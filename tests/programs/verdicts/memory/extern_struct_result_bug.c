// expect: unsafe
// why: a function from elsewhere returns a structure

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct answer {
    int code;
    char text[2];
};

extern struct answer ask(int);

int main(void) {
    struct answer a = ask(1), b = a;
    b.code = 1;
    check(a.code == 1 && b.text[1] == a.text[1]);
    return 0;
}
