// Every integer conversion of printf with flags, widths, precisions and length modifiers.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int values[] = {0, 1, -1, 42, -42, 2147483647, -2147483647 - 1};
    for (int i = 0; i < 7; i++) {
        int v = values[i];
        printf("[%d][%i][%u][%x][%X][%o]\n", v, v, (unsigned)v, (unsigned)v, (unsigned)v, (unsigned)v);
        printf("[%5d][%-5d][%05d][%+d][% d][%+05d]\n", v, v, v, v, v, v);
        printf("[%.3d][%8.3d][%-8.3d][%08.3d][%.0d]\n", v, v, v, v, v);
        printf("[%#x][%#o][%#X][%#8x][%#08x][%-#8x]\n", v, v, v, v, v, v);
        printf("[%hhd][%hd][%hhu][%hu][%hhx]\n", v, v, v, v, v);
        printf("[%ld][%lu][%lx][%lld][%llu][%llx]\n", (long)v, (unsigned long)v, (unsigned long)v, (long long)v,
               (unsigned long long)v, (unsigned long long)v);
        printf("[%jd][%zu][%td]\n", (intmax_t)v, (size_t)v, (ptrdiff_t)v);
    }
    printf("[%*d][%-*d][%.*d][%*.*d][%*d]\n", 6, 42, 6, 42, 4, 42, 8, 4, 42, -6, 42);
    printf("[%c][%3c][%-3c][%c]\n", 'a', 'b', 'c', 'd' + 256);
    printf("[%%]\n");
    printf("%d%n\n", 12345, &values[0]);
    printf("%d\n", values[0]);
    int n = printf("counted\n");
    printf("%d\n", n);
    printf("%s %d %s\n", "a", 1, "b");
    printf("[%p]\n", (void *)0);
    printf("[%#llx]\n", 0x123456789abcdefULL);
    printf("[%+lld][% lld][%020lld]\n", 5LL, 5LL, -123456789012LL);
    puts("puts adds a newline");
    putchar('x');
    putchar('\n');
    fputs("fputs does not\n", stdout);
    fprintf(stdout, "fprintf %d\n", 7);
    fputc('y', stdout);
    putc('\n', stdout);
    return 0;
}
