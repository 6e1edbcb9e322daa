// while, do, for: break, continue, declarations, empty parts, nesting.
#include <stdio.h>

static int do_continue(void) {
    int i = 0, n = 0;
    do {
        i++;
        if (i % 2) {
            continue; // goes to the test, not to the start of the body
        }
        n += i;
    } while (i < 10);
    return n;
}

static int do_once(void) {
    int n = 0;
    do {
        n++;
        continue;
    } while (0);
    do
        n += 10;
    while (n < 5);
    return n;
}

static int for_continue(void) {
    int n = 0;
    for (int i = 0, step = 1; i < 20; i += step, step++) {
        if (i == 3) {
            continue;
        }
        n = n * 10 + i % 10;
    }
    return n;
}

static int nested(void) {
    int n = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = 0;; j++) {
            if (j > i) {
                break;
            }
            if (j == 2) {
                continue;
            }
            int k = 3;
            while (k--) {
                if (k == j) {
                    break;
                }
                n += i * j + k;
            }
        }
    }
    return n;
}

static int empty_parts(void) {
    int i = 0;
    for (;;) {
        if (++i > 7) {
            break;
        }
    }
    for (; i < 20;)
        i += 3;
    for (; i-- > 10;)
        ;
    while (i < 30) {
        i *= 2;
    }
    return i;
}

static int shadowing(void) {
    int i = 100;
    for (int i = 0; i < 3; i++) {
        int i = 7;
        i++;
    }
    int total = i;
    while (i > 97) {
        int i = total++;
        (void)i;
        total += 0;
        if (total > 110) {
            break;
        }
    }
    return total;
}

static unsigned collatz(unsigned n) {
    unsigned steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

int main(void) {
    printf("%d %d %d %d %d %d\n", do_continue(), do_once(), for_continue(), nested(), empty_parts(), shadowing());
    for (unsigned n = 1; n < 30; n++) {
        printf("%u ", collatz(n));
    }
    printf("\n");
    unsigned char c;
    int turns = 0;
    for (c = 250; c >= 5; c++) {
        turns++;
    }
    printf("%d %d\n", turns, c);
    for (signed char s = 120; s > 0; s++) {
        turns++;
    }
    printf("%d\n", turns);
    for (float f = 0; f < 1; f += 0.25f) {
        printf("%g ", f);
    }
    for (const char *p = "text"; *p; p++) {
        printf("%c.", *p);
    }
    printf("\n");
    int sieve[50] = {0}, primes = 0;
    for (int i = 2; i < 50; i++) {
        if (!sieve[i]) {
            primes++;
            for (int j = i * i; j < 50; j += i) {
                sieve[j] = 1;
            }
        }
    }
    printf("%d\n", primes);
    if (primes > 10)
        if (primes > 100)
            printf("many\n");
        else
            printf("some\n");
    return 0;
}
