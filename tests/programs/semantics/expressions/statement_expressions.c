// GNU statement expressions: values, nesting, control flow inside, lifetimes.
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define SWAP(a, b) ({ typeof(a) _t = (a); (a) = (b); (b) = _t; })

struct point {
    int x, y;
};

static int early(int n) {
    int r = ({
        if (n > 5) {
            return -1;
        }
        n * 2;
    });
    return r + 1;
}

static int loops(void) {
    int total = 0;
    for (int i = 0; i < 10; i++) {
        total += ({
            if (i == 3) {
                continue;
            }
            if (i == 7) {
                break;
            }
            i;
        });
    }
    return total;
}

static int jumps(int n) {
    int v = ({
        int k = n;
        if (n == 0) {
            goto out;
        }
        k + 1;
    });
    return v;
out:
    return 1000;
}

int main(void) {
    int a = 3, b = 8;
    printf("%d\n", MAX(a, b));
    printf("%d %d\n", MAX(a++, 2), a);
    printf("%d\n", MAX(MAX(1, 9), MAX(4, 2)));
    SWAP(a, b);
    printf("%d %d\n", a, b);
    printf("%d\n", ({ int s = 0; for (int i = 1; i <= 10; i++) s += i; s; }));
    printf("%d %d %d\n", early(3), early(6), loops());
    printf("%d %d\n", jumps(4), jumps(0));
    struct point p = ({ struct point q = {1, 2}; q.y *= 10; q; });
    printf("%d %d\n", p.x, p.y);
    printf("%d\n", ({ p; }).y);
    printf("%d\n", ({ int t = a; switch (t) { case 8: t = 80; break; default: t = 0; } t; }));
    int c = ({ int x = 5; ({ int y = x * 2; y + ({ y * x; }); }); });
    printf("%d\n", c);
    ({ printf("void one\n"); });
    printf("%d\n", 1 + ({ a = 100; a; }) + a);
    int i = 0;
    while (({ i++; i < 5; })) {
    }
    printf("%d\n", i);
    char *text = ({ static char buffer[] = "static"; buffer; });
    printf("%s\n", text);
    printf("%d\n", (int)sizeof(({ (char)1; })));
    int array[3] = {({ 1; }), ({ int z = 2; z; }), ({ a; })};
    printf("%d %d %d\n", array[0], array[1], array[2]);
    printf("%d\n", __extension__({ 77; }));
    return 0;
}
