// The order in which gcc -O0 evaluates operands; C leaves it open, so a program that calls
// functions with side effects behaves as the compiler chooses.
#include <stdio.h>

static int x;
static int array[10];

static int trace(const char *name, int value) {
    printf("%s ", name);
    return value;
}

static int g(void) {
    printf("g ");
    x = 100;
    return 5;
}

static int *address(const char *name, int index) {
    printf("%s ", name);
    return &array[index];
}

static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }

struct pair {
    int a, b;
};

static struct pair make(const char *name, int a) {
    printf("%s ", name);
    x += 10;
    return (struct pair){a, x};
}

static int take(struct pair p, struct pair q, int last) { return p.a * 1000 + q.a * 100 + p.b + q.b + last; }

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
typedef int (*binary)(int, int);
static binary select(const char *name, int which) {
    printf("%s ", name);
    return which ? add : sub;
}

static void calls(void) {
    printf("= %d\n", three(trace("first", 1), trace("second", 2), trace("third", 3)));
    printf("= %d\n", three(trace("a", 1), three(trace("b", 1), trace("c", 2), trace("d", 3)), trace("e", 5)));
    x = 1;
    printf("= %d\n", three(x, g(), x));
    x = 1;
    printf("= %d\n", three(g(), x, x));
    x = 1;
    printf("= %d\n", three(x, x, g()));
    x = 1;
    printf("= %d\n", three(x++, 7, g()));
    printf("= %d\n", select("select", 1)(trace("left", 10), trace("right", 3)));
    printf("= %d\n", select("outer", 0)(select("inner", 1)(trace("p", 1), trace("q", 2)), trace("r", 3)));
    x = 0;
    printf("= %d\n", take(make("one", 1), make("two", 2), trace("three", 3)));
    x = 0;
    printf("= %d\n", make("member", 4).b + make("again", 5).b);
}

static void operators(void) {
    x = 1;
    printf("= %d\n", g() + x);
    x = 1;
    printf("= %d\n", x + g());
    x = 1;
    printf("= %d\n", x - g());
    x = 1;
    printf("= %d\n", g() - x);
    x = 1;
    printf("= %d\n", x * g() + x);
    x = 1;
    printf("= %d\n", (x + 1) * g());
    x = 1;
    printf("= %d\n", x < g());
    x = 50;
    printf("= %d\n", g() < x);
    x = 1;
    printf("= %d\n", (x << 1) | g());
    x = 1;
    printf("= %d\n", (unsigned char)x + g());
    x = 1;
    printf("= %lld\n", (long long)x + g());
    x = 1;
    printf("= %d\n", (x ^ 3) + g());
    x = 1;
    printf("= %d\n", (x == 1) + g());
    x = 1;
    printf("= %d\n", x + trace("l", 1) + g() + x);
    printf("= %d\n", trace("a", 1) + trace("b", 2) * trace("c", 3) - trace("d", 4));
    printf("= %d\n", (trace("a", 8) - trace("b", 4)) / (trace("c", 3) - trace("d", 1)));
    printf("= %d\n", trace("a", 1) == trace("b", 1));
    printf("= %d\n", trace("a", 1) < trace("b", 2));
    printf("= %d\n", trace("a", 1) > trace("b", 2));
}

static void assignments(void) {
    array[trace("index", 2)] = trace("value", 7);
    printf("= %d\n", array[2]);
    *address("left", 3) = trace("right", 8);
    printf("= %d\n", array[3]);
    x = 1;
    x += g();
    printf("= %d\n", x);
    x = 1;
    x = x + g();
    printf("= %d\n", x);
    x = 1;
    x -= g() + x;
    printf("= %d\n", x);
    x = 1;
    int y = x + g() * x;
    printf("= %d\n", y);
    array[trace("i", 4)] = array[trace("j", 5)] = trace("k", 6);
    printf("= %d %d\n", array[4], array[5]);
    array[trace("i", 1)] += trace("k", 6);
    printf("= %d\n", array[1]);
    *address("p", 1) *= trace("q", 3);
    printf("= %d\n", array[1]);
    *address("p", 1) = *address("q", 2) + *address("r", 3);
    printf("= %d\n", array[1]);
    x = 2;
    array[x] = g();
    printf("= %d %d\n", array[2], x);
    int *p = array;
    p[trace("s", 6)] = trace("t", 9);
    printf("= %d\n", array[6]);
    (*address("u", 7))++;
    printf("= %d\n", array[7] + trace("v", 1));
    struct pair target = {0, 0};
    target.a = trace("a", 1) + (target.b = trace("b", 2));
    printf("= %d %d\n", target.a, target.b);
    x = 0;
    target = make("whole", trace("arg", 3));
    printf("= %d %d\n", target.a, target.b);
}

static void sequenced(void) {
    printf("= %d\n", (trace("a", 1), trace("b", 2), trace("c", 3)));
    printf("= %d\n", trace("zero", 0) && trace("not reached", 1));
    printf("= %d\n", trace("one", 1) || trace("not reached", 1));
    printf("= %d\n", trace("one", 2) && trace("two", 0));
    printf("= %d\n", trace("condition", 0) ? trace("yes", 1) : trace("no", 2));
    printf("= %d\n", trace("elvis", 4) ?: trace("not reached", 2));
    x = 1;
    printf("= %d\n", x++ && x == 2);
    x = 1;
    printf("= %d\n", (x ? g() : 0) + x);
    int list[3] = {trace("first", 1), trace("second", 2), trace("third", 3)};
    printf("= %d\n", three(list[0], list[1], list[2]));
    struct pair p = {.b = trace("b", 2), .a = trace("a", 1)};
    printf("= %d %d\n", p.a, p.b);
    int first = trace("declared first", 1), second = trace("declared second", first + 1);
    printf("= %d\n", second);
    int i = 0;
    int copies[3] = {i++, i++, i++};
    printf("= %d %d %d\n", copies[0], copies[1], copies[2]);
    printf("= %d\n", array[trace("x", 0)] + array[trace("y", 1)]);
    x = 3;
    printf("= %d\n", ({ x++; x; }) + trace("after", x));
}

int main(void) {
    calls();
    operators();
    assignments();
    sequenced();
    return 0;
}
