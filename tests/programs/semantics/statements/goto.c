// goto: forwards, backwards, into and out of blocks and loops, over declarations; computed goto.
#include <stdio.h>

static int backwards(int n) {
    int r = 1;
again:
    if (n > 1) {
        r *= n--;
        goto again;
    }
    return r;
}

static int out_of_nest(int target) {
    int i, j, k;
    for (i = 0; i < 5; i++) {
        for (j = 0; j < 5; j++) {
            for (k = 0; k < 5; k++) {
                if (i * 25 + j * 5 + k == target) {
                    goto found;
                }
            }
        }
    }
    return -1;
found:
    return i * 100 + j * 10 + k;
}

static int into_loop(int n) {
    int total = 0;
    int i = n;
    if (n > 5) {
        goto inside;
    }
    for (i = 0; i < 3; i++) {
        total += 10;
    inside:
        total += 1;
    }
    return total * 100 + i;
}

static int into_branch(int n) {
    int r = 0;
    if (n == 1) {
        goto then_part;
    }
    if (n == 2) {
        goto else_part;
    }
    if (n == 3) {
    then_part:
        r += 1;
    } else {
        r += 50;
    else_part:
        r += 2;
    }
    return r;
}

static int over_declaration(int n) {
    goto skip;
    {
        int inner = 5;
    skip:
        inner = n;
        n += inner;
    }
    return n;
}

static int cleanup(int fail_at) {
    int steps = 0;
    if (fail_at == 1) {
        goto one;
    }
    steps += 1;
    if (fail_at == 2) {
        goto two;
    }
    steps += 10;
    steps += 100;
two:
    steps += 1000;
one:
    steps += 10000;
    return steps;
}

static int machine(const char *program) {
    static void *const table[] = {&&halt, &&increment, &&decrement, &&twice, [4 ... 7] = &&bad};
    int value = 0;
#define NEXT goto *table[*program++ - '0']
    NEXT;
increment:
    value++;
    NEXT;
decrement:
    value--;
    NEXT;
twice:
    value *= 2;
    NEXT;
bad:
    return -1;
halt:
    return value;
}

static int label_pointer(int n) {
    void *where = n ? &&yes : &&no;
    int r = 0;
    goto *where;
yes:
    r += 10;
    where = &&done;
no:
    r += 1;
    if (where == &&done) {
        goto *where;
    }
    r += 100;
done:
    return r;
}

int main(void) {
    printf("%d %d %d\n", backwards(6), out_of_nest(87), out_of_nest(1000));
    printf("%d %d %d\n", into_loop(0), into_loop(6), into_loop(7));
    printf("%d %d %d %d\n", into_branch(0), into_branch(1), into_branch(2), into_branch(3));
    printf("%d\n", over_declaration(4));
    printf("%d %d %d\n", cleanup(0), cleanup(1), cleanup(2));
    printf("%d %d %d\n", machine("111320"), machine("15"), machine("0"));
    printf("%d %d\n", label_pointer(0), label_pointer(1));
    int i = 0;
top:
    switch (i++) {
    case 0:
        goto top;
    case 1: {
        int local = i;
        if (local == 2) {
            goto middle;
        }
    }
    default:
        printf("default %d\n", i);
        goto end;
    middle:
    case 5:
        printf("middle %d\n", i);
    }
    goto top;
end: {
    __label__ local;
    goto local;
    printf("not printed\n");
local:
    printf("local label\n");
}
    return 0;
}
