// expect: safe
// why: a copy of what was never written has the same value

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct parts { char tag; int x, y; unsigned low : 3, high : 5; int a[3]; };
union either { struct parts s; char bytes[sizeof(struct parts)]; };
void *memcpy(void *, const void *, __SIZE_TYPE__);

static struct parts pass(struct parts p) {
    return p;
}

int main(void) {
    struct parts p, q, r, t;
    union either u, v;
    p = q;
    check(p.y == q.y);
    r = pass(p);
    check(r.x == q.x && r.high == q.high && r.low == q.low);
    memcpy(&t, &r, sizeof t);
    check(t.a[2] == p.a[2] && t.tag == q.tag);
    v = u;
    check(u.s.y == v.s.y && u.bytes[0] == v.bytes[0]);
    int old = q.a[1];
    q.a[1] = 7;
    check(t.a[1] == old);
    check(q.a[1] == 7);
    return 0;
}
