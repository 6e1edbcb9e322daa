// string.h: lengths, copies, comparisons, searches.
#include <stdio.h>
#include <string.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
    char buffer[64];
    printf("%d %d %d\n", (int)strlen(""), (int)strlen("seven c"), (int)strnlen("bounded", 4));
    printf("%s\n", strcpy(buffer, "copied"));
    printf("%s\n", strcat(buffer, " and extended"));
    printf("%s\n", strncat(buffer, "!!!!", 2));
    memset(buffer, 'x', sizeof buffer);
    strncpy(buffer, "short", 8);
    printf("%s %d %d %c\n", buffer, buffer[6], buffer[7], buffer[8]);
    strncpy(buffer, "longer than that", 6);
    printf("%.10s\n", buffer);
    printf("%d %d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("b", "a")), sign(strcmp("", "")),
           sign(strcmp("abc", "ab")));
    printf("%d %d\n", sign(strcmp("\x80", "a")), sign(strncmp("abcX", "abcY", 3)));
    printf("%d %d\n", sign(strncmp("abcX", "abcY", 4)), sign(strncmp("a", "a\0b", 3)));
    const char *text = "find the letter t";
    printf("%d %d %d %d\n", (int)(strchr(text, 't') - text), (int)(strrchr(text, 't') - text), strchr(text, 'z') == 0,
           (int)(strchr(text, 0) - text));
    printf("%s|%d|%s\n", strstr(text, "letter"), strstr(text, "nope") == 0, strstr(text, ""));
    printf("%d %d %s\n", (int)strspn("aabbcc", "ab"), (int)strcspn("aabbcc", "c"), strpbrk("key=value", "=:"));
    char tokens[] = "a,b;;c";
    for (char *t = strtok(tokens, ",;"); t; t = strtok(0, ",;")) {
        printf("<%s>", t);
    }
    printf("\n");
    char *copy = strdup("duplicate");
    copy[0] = 'D';
    printf("%s\n", copy);
    const unsigned char bytes[] = {1, 2, 0, 3, 255};
    printf("%d %d\n", (int)((unsigned char *)memchr(bytes, 3, 5) - bytes), memchr(bytes, 9, 5) == 0);
    printf("%d %d %d\n", sign(memcmp(bytes, "\1\2\0\3\4", 5)), sign(memcmp(bytes, "\1\2\1", 3)),
           memcmp(bytes, "\1\2", 2));
    return 0;
}
