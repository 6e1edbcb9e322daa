// Sizes, offsets and alignments of structures of all scalar types.
#include <stddef.h>
#include <stdio.h>

#define SCALAR(T)                                                                          \
    {                                                                                      \
        struct one {                                                                       \
            char before;                                                                   \
            T member;                                                                      \
            char after;                                                                    \
        };                                                                                 \
        printf("%s: %d %d %d %d %d\n", #T, (int)sizeof(T), (int)_Alignof(T),               \
               (int)offsetof(struct one, member), (int)offsetof(struct one, after),        \
               (int)sizeof(struct one));                                                   \
    }

struct inner {
    short s;
    char c;
};

struct outer {
    char first;
    struct inner nested;
    struct inner array[3];
    long long wide;
    char last[5];
};

struct flexible {
    int count;
    char kind;
    short data[];
};

struct zero_length {
    char c;
    long long data[0];
};

struct empty {};

struct holds_empty {
    int a;
    struct empty e;
    int b;
};

struct pointers {
    char c;
    void *p;
    char d;
    int (*f)(int);
    char e;
    struct pointers *next[2];
};

struct self {
    double d;
    struct self *link;
    union {
        int i;
        char text[7];
    } u;
};

int main(void) {
    SCALAR(_Bool)
    SCALAR(char)
    SCALAR(short)
    SCALAR(int)
    SCALAR(long)
    SCALAR(long long)
    SCALAR(float)
    SCALAR(double)
    SCALAR(long double)
    SCALAR(void *)
    SCALAR(struct inner)
    SCALAR(struct outer)
    SCALAR(struct flexible)
    SCALAR(struct zero_length)
    SCALAR(struct empty)
    SCALAR(struct holds_empty)
    SCALAR(struct pointers)
    SCALAR(struct self)
    printf("%d %d %d %d %d\n", (int)offsetof(struct outer, nested), (int)offsetof(struct outer, array),
           (int)offsetof(struct outer, array[2].c), (int)offsetof(struct outer, wide),
           (int)offsetof(struct outer, last[3]));
    printf("%d %d\n", (int)offsetof(struct flexible, data), (int)offsetof(struct zero_length, data));
    printf("%d %d %d\n", (int)offsetof(struct pointers, p), (int)offsetof(struct pointers, f),
           (int)offsetof(struct pointers, next[1]));
    printf("%d %d\n", (int)offsetof(struct self, link), (int)offsetof(struct self, u));
    struct outer o = {.last = "abcd"};
    char *base = (char *)&o;
    printf("%d %d %s\n", (int)((char *)&o.array[1].c - base), (int)((char *)&o.wide - base),
           base + offsetof(struct outer, last));
    printf("%d %d\n", (int)sizeof(o.array), (int)(sizeof(o.array) / sizeof(o.array[0])));
    printf("%d\n", (int)sizeof(struct { char c; struct { int i; char d; } s; }));
    return 0;
}
