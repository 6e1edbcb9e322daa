// Static locals, tentative definitions, flexible array members with static initialisers,
// and the zero values that everything static starts with.
#include <stdio.h>

struct message {
    int length;
    char text[];
};

static struct message greeting = {5, "hello"};
static struct message numbers = {3, {1, 2, 3}};

int tentative;
int tentative;
extern int tentative;
int defined_later;
int defined_later = 12;
static int internal;
static int internal = 13;
extern int array_later[];
int array_size(void);
int array_later[4] = {1, 2, 3, 4};
int unsized_tentative[];

static double zero_real;
static void *zero_pointer;
static struct {
    int a;
    char b[3];
    double c;
} zero_struct;
static int (*zero_function)(void);

static int counter(void) {
    static int calls = 10;
    return ++calls;
}

static int *cell(int n) {
    static int cells[3] = {100, 200};
    return &cells[n];
}

static int two_counters(int which) {
    if (which) {
        static int c = 1;
        return c *= 2;
    } else {
        static int c = 1;
        return c *= 3;
    }
}

static int recursive(int n) {
    static int depth;
    depth++;
    if (n > 0) {
        recursive(n - 1);
    }
    return depth;
}

int array_size(void) { return sizeof array_later / sizeof *array_later; }

int main(void) {
    printf("%d %s %d %d\n", greeting.length, greeting.text, numbers.text[2], (int)sizeof greeting);
    printf("%d %d %d %d\n", tentative, defined_later, internal, array_size());
    printf("%g %d %d %d %g %d\n", zero_real, zero_pointer == 0, zero_struct.a, zero_struct.b[2], zero_struct.c,
           zero_function == 0);
    counter();
    counter();
    printf("%d\n", counter());
    *cell(1) += 5;
    *cell(2) = *cell(0) + *cell(1);
    printf("%d %d\n", *cell(1), *cell(2));
    two_counters(0);
    two_counters(1);
    two_counters(1);
    printf("%d ", two_counters(0));
    printf("%d\n", two_counters(1));
    printf("%d ", recursive(3));
    printf("%d\n", recursive(1));
    for (int i = 0; i < 3; i++) {
        static int kept = 5;
        int fresh = 5;
        kept++;
        fresh++;
        printf("%d %d\n", kept, fresh);
    }
    static int *address = &internal;
    *address = 99;
    printf("%d %d\n", internal, unsized_tentative[0]);
    {
        extern int defined_later;
        defined_later++;
        int tentative = 3;
        {
            extern int tentative;
            tentative = 8;
        }
        printf("%d\n", tentative);
    }
    printf("%d %d\n", defined_later, tentative);
    return 0;
}
