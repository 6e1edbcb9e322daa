// Structures by value: assignment, arguments, results, arrays of structures, nested copies.
#include <stdio.h>
#include <string.h>

struct point {
    int x, y;
};

struct line {
    struct point from, to;
    char name[8];
};

struct big {
    int values[40];
    struct line lines[2];
};

struct tiny {
    char c;
};

struct mixed {
    double d;
    char c;
    long long ll;
};

static struct point add(struct point a, struct point b) {
    a.x += b.x;
    a.y += b.y;
    return a;
}

static struct line make_line(int n, const char *name) {
    struct line result = {{n, n + 1}, {n * 2, n * 3}, ""};
    strcpy(result.name, name);
    return result;
}

static struct big fill(struct big b, int start) {
    for (int i = 0; i < 40; i++) {
        b.values[i] += start + i;
    }
    b.lines[1] = make_line(start, "filled");
    return b;
}

static struct tiny next(struct tiny t) { return (struct tiny){t.c + 1}; }
static struct mixed mix(char c, double d) { return (struct mixed){d, c, c * 1000000000LL}; }
static int sum(struct big b) {
    int total = 0;
    for (int i = 0; i < 40; i++) {
        total += b.values[i];
        b.values[i] = 0;
    }
    return total;
}

int main(void) {
    struct point p = {1, 2}, q, r;
    r = q = p;
    q.x = 50;
    printf("%d %d %d\n", p.x, q.x, r.x);
    r = add(p, q);
    printf("%d %d %d %d\n", r.x, r.y, add(r, r).x, add(add(p, p), add(q, q)).y);
    struct line l = make_line(3, "third"), copy = l;
    copy.to = l.from;
    copy.name[0] = 'T';
    printf("%d %d %s %s\n", copy.to.x, l.to.x, copy.name, l.name);
    printf("%s %d\n", make_line(5, "fifth").name, make_line(6, "x").to.y);

    struct big b = {{0}};
    struct big c = fill(b, 10);
    printf("%d %d %d %s\n", sum(b), sum(c), sum(c), c.lines[1].name);
    b = fill(fill(c, 1), 2);
    printf("%d\n", sum(b));
    struct line lines[3] = {make_line(1, "a"), make_line(2, "b")};
    lines[2] = lines[0];
    lines[0] = lines[1];
    printf("%s %s %s %d\n", lines[0].name, lines[1].name, lines[2].name, lines[2].to.y);
    struct point *where = &lines[1].from;
    *where = (struct point){100, 200};
    printf("%d %d\n", lines[1].from.y, lines[0].from.y);
    printf("%c\n", next(next((struct tiny){'a'})).c);
    struct mixed m = mix('z', 2.5);
    printf("%g %c %lld\n", m.d, m.c, m.ll);
    // A structure that is assigned to itself keeps its value.
    m = *&m;
    printf("%g\n", (m = mix('b', m.d * 2)).d);
    int flag = 1;
    struct point chosen = flag ? p : q;
    printf("%d %d\n", chosen.x, (flag ? q : p).x);
    printf("%d\n", (p = q, p).x);
    return 0;
}
