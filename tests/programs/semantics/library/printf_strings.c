// %s with widths and precisions; sprintf, snprintf and their results.
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[40];
    const char not_terminated[3] = {'a', 'b', 'c'};
    printf("[%s][%10s][%-10s][%.3s][%10.3s][%-10.3s]\n", "string", "string", "string", "string", "string", "string");
    printf("[%.*s][%*s][%-*s]\n", 2, "string", 8, "right", 8, "left");
    printf("[%.3s][%.0s][%s]\n", not_terminated, "nothing", "");
    int n = sprintf(buffer, "%d/%s/%c", 10, "ten", 't');
    printf("%d %s %d\n", n, buffer, (int)strlen(buffer));
    memset(buffer, '#', sizeof buffer);
    n = snprintf(buffer, 5, "%s", "truncated");
    printf("%d %s %c\n", n, buffer, buffer[5]);
    n = snprintf(NULL, 0, "%d-%d", 100, 200);
    printf("%d\n", n);
    n = snprintf(buffer, 1, "abc");
    printf("%d %d\n", n, buffer[0]);
    n = snprintf(buffer, sizeof buffer, "%05.1f|%x", 2.25, 255);
    printf("%d %s\n", n, buffer);
    printf("%s%s%s\n", "one", "", "two");
    printf("%c%c%c%c", 'a', 0x62, 99, '\n');
    printf("a\0hidden\n");
    printf("\n");
    const char *format = "%s and %s\n";
    printf(format, "this", "that");
    printf("%5s|%-5s|%5s\n", "toolong", "ab", "cd");
    printf("%d %s", 1, "no newline at the end");
    return 0;
}
