// Library functions under their __builtin_ names, alloca, and markers without effect.
#include <stdio.h>

static int sum_on_stack(int n) {
    int *p = __builtin_alloca(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        p[i] = i + 1;
    }
    int total = 0;
    for (int i = 0; i < n; i++) {
        total += p[i];
    }
    return total;
}

static int classify(int n) {
    switch (n & 3) {
    case 0:
        return 10;
    case 1:
        return 11;
    case 2:
        return 12;
    case 3:
        return 13;
    }
    __builtin_unreachable();
}

static int list_length(int n) {
    struct cell {
        struct cell *next;
    } *list = 0;
    for (int i = 0; i < n; i++) {
        struct cell *c = __builtin_alloca(sizeof *c);
        c->next = list;
        list = c;
    }
    int length = 0;
    for (; list; list = list->next) {
        length++;
    }
    return length;
}

int main(void) {
    char buffer[16];
    __builtin_memset(buffer, 0, sizeof buffer);
    __builtin_strcpy(buffer, "builtin");
    __builtin_printf("%s %d\n", buffer, (int)__builtin_strlen(buffer));
    __builtin_memcpy(buffer, "BU", 2);
    printf("%s %d\n", buffer, __builtin_strcmp(buffer, "BUiltin"));
    printf("%d\n", __builtin_memcmp(buffer, "BU", 2));
    printf("%d %d\n", sum_on_stack(10), list_length(25));
    printf("%d %d\n", classify(5), classify(-1));
    __builtin_prefetch(buffer);
    int x = 3;
    __builtin_assume_aligned(&x, 4);
    printf("%d\n", x);
    void *p = __builtin_malloc(8);
    __builtin_free(p);
    printf("%g %d\n", __builtin_fabs(-2.5), __builtin_isnan(__builtin_nan("")) != 0);
    printf("%d %d\n", __builtin_isinf_sign(-__builtin_inf()), __builtin_huge_val() > 1e308);
    __builtin_puts("puts");
    __builtin_putchar('!');
    __builtin_putchar('\n');
    int v = 5;
    printf("%d ", __sync_fetch_and_add(&v, 3));
    printf("%d ", __sync_add_and_fetch(&v, 1));
    printf("%d ", __sync_bool_compare_and_swap(&v, 9, 20));
    printf("%d ", __sync_val_compare_and_swap(&v, 9, 30));
    __sync_synchronize();
    printf("%d\n", v);
    __builtin_exit(4);
}
