// Objects live until their block is left: jumps backwards, into blocks, and out of them.
#include <stdio.h>

struct s {
    int i;
};

// The example of C11 6.5.2.5p16.
static int literal(void) {
    struct s *p = 0, *q;
    int j = 0;
again:
    q = p, p = &((struct s){ j++ });
    if (j < 2)
        goto again;
    return p == q && q->i == 1;
}

static int read_before_declaration(void) {
    int *p = 0;
again:
    if (p)
        return *p;
    int x = 5;
    p = &x;
    goto again;
}

static int same_address(void) {
    int *p = 0, *q, n = 0;
again:
    q = p;
    int x;
    p = &x;
    x = n;
    if (n++ < 3)
        goto again;
    return p == q;
}

static int initialised_again(void) {
    int *p = 0, n = 0;
again:;
    int x = p ? *p + 1 : 0;
    p = &x;
    if (n++ < 5)
        goto again;
    return x;
}

static int literal_reads_itself(void) {
    struct s *p = 0;
    int n = 0;
again:
    p = &(struct s){ p ? p->i + 2 : 1 };
    if (n++ < 5)
        goto again;
    return p->i;
}

static int literal_in_condition(void) {
    int *p = 0, n = 0;
    while (*(p = &(int){ p ? *p + 1 : 0 }) < 7)
        n++;
    return n;
}

static int past_declaration(int c) {
    int *p;
    switch (c) {
        int y;
    case 1:
        y = 5;
        p = &y;
        return *p;
    case 2:
        y = 6;
        p = &y;
        *p += 1;
        return y;
    default:
        return 0;
    }
}

static int into_block(int c) {
    int *p;
    if (c)
        goto in;
    {
        int y = 3;
        p = &y;
    in:
        y = 4;
        p = &y;
        return *p;
    }
}

static int variable_length(void) {
    int n = 1, total = 0;
again:;
    int a[n];
    a[n - 1] = n;
    total += a[n - 1];
    if (n++ < 4)
        goto again;
    return total;
}

static int left_with_continue(void) {
    int *p = 0, n = 0, total = 0;
    for (int i = 0; i < 3; i++) {
        n = 0;
    again:
        if (n == 2)
            continue;
        int x = n;
        p = &x;
        total += *p;
        n++;
        goto again;
    }
    return total;
}

int main(void) {
    printf("%d %d %d\n", literal(), read_before_declaration(), same_address());
    printf("%d %d %d\n", initialised_again(), literal_reads_itself(), literal_in_condition());
    printf("%d %d\n", past_declaration(1), past_declaration(2));
    printf("%d %d\n", into_block(0), into_block(1));
    printf("%d %d\n", variable_length(), left_with_continue());
    return 0;
}
