// Unions: size, type punning through members, assignment, initialisation.
#include <stdio.h>
#include <string.h>

union number {
    unsigned char bytes[8];
    unsigned short shorts[4];
    unsigned ints[2];
    unsigned long long whole;
    float f;
    double d;
};

union odd {
    char text[5];
    short s;
};

struct tagged {
    enum { INT, REAL, TEXT } kind;
    union {
        int i;
        double d;
        const char *s;
    } as;
};

static void show(struct tagged t) {
    switch (t.kind) {
    case INT:
        printf("int %d\n", t.as.i);
        break;
    case REAL:
        printf("real %g\n", t.as.d);
        break;
    case TEXT:
        printf("text %s\n", t.as.s);
        break;
    }
}

static union number make(double d) {
    union number n = {.d = d};
    return n;
}

int main(void) {
    union number n = {.whole = 0x0123456789abcdefULL};
    printf("%x %x %x %x %x\n", n.bytes[0], n.bytes[7], n.shorts[1], n.ints[0], n.ints[1]);
    n.bytes[3] = 0xff;
    n.shorts[3] = 0xbeef;
    printf("%llx\n", n.whole);
    n.f = 1.5f;
    printf("%x\n", n.ints[0]);
    n.d = -2.0;
    printf("%llx\n", n.whole);
    n.whole = 0x7ff0000000000000ULL;
    printf("%g\n", n.d);
    printf("%llx\n", make(0.1).whole);
    printf("%d %d\n", (int)sizeof(union number), (int)sizeof(union odd));

    union odd o = {"abcd"};
    union odd copy = o;
    copy.text[0] = 'z';
    printf("%s %s %d\n", o.text, copy.text, memcmp(&o, &copy, sizeof o) < 0);
    printf("%x\n", o.s);

    show((struct tagged){INT, {.i = 4}});
    show((struct tagged){REAL, {.d = 0.25}});
    show((struct tagged){.kind = TEXT, .as.s = "hello"});
    union number *p = &n;
    unsigned *q = &p->ints[1];
    *q = 7;
    printf("%llx %d\n", p->whole, (void *)p == (void *)&p->d);
    union {
        int a;
        unsigned b : 4;
        char c;
    } small = {0x12345678};
    printf("%x %x %x\n", small.a, small.b, small.c);
    small.b = 1;
    printf("%x\n", small.a);
    return 0;
}
