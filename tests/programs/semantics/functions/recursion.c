// Recursion: direct, mutual, deep, through pointers, with locals whose address is taken.
#include <stdio.h>

static int ackermann(int m, int n) {
    if (m == 0) {
        return n + 1;
    }
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int moves;
static void hanoi(int n, char from, char to, char via) {
    if (n) {
        hanoi(n - 1, from, via, to);
        moves++;
        hanoi(n - 1, via, to, from);
    }
}

static int permutations(int *p, int k, int n) {
    if (k == n) {
        return p[0] < p[n - 1];
    }
    int count = 0;
    for (int i = k; i < n; i++) {
        int t = p[k];
        p[k] = p[i];
        p[i] = t;
        count += permutations(p, k + 1, n);
        t = p[k];
        p[k] = p[i];
        p[i] = t;
    }
    return count;
}

struct frame {
    int value;
    const struct frame *caller;
};

// Every activation has its own `here`.
static int chain(int n, const struct frame *caller) {
    struct frame here = {n, caller};
    if (n == 0) {
        int total = 0;
        for (const struct frame *f = &here; f; f = f->caller) {
            total = total * 3 + f->value;
        }
        return total;
    }
    int result = chain(n - 1, &here);
    return result + here.value;
}

static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

static int queens(int row, unsigned columns, unsigned left, unsigned right, int n) {
    if (row == n) {
        return 1;
    }
    int count = 0;
    for (int c = 0; c < n; c++) {
        unsigned bit = 1u << c;
        if (!(columns & bit) && !(left & 1u << (row + c)) && !(right & 1u << (row - c + n))) {
            count += queens(row + 1, columns | bit, left | 1u << (row + c), right | 1u << (row - c + n), n);
        }
    }
    return count;
}

static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
static int mccarthy(int n) { return n > 100 ? n - 10 : mccarthy(mccarthy(n + 11)); }

int main(void) {
    printf("%d\n", ackermann(2, 5));
    printf("%d %d\n", is_even(40), is_odd(40));
    printf("%d\n", fibonacci(15));
    hanoi(7, 'a', 'b', 'c');
    printf("%d\n", moves);
    int p[5] = {1, 2, 3, 4, 5};
    printf("%d\n", permutations(p, 0, 5));
    printf("%d\n", chain(6, 0));
    printf("%d\n", gcd(462, 1071));
    printf("%d\n", queens(0, 0, 0, 0, 6));
    printf("%d\n", deep(2000));
    printf("%d\n", mccarthy(50));
    return 0;
}
