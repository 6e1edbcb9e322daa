// Plain char is signed; character constants are int; comparisons promote first.
#include <limits.h>
#include <stdio.h>

int main(void) {
    char c = 0x80;
    signed char s = 0x80;
    unsigned char u = 0x80;
    printf("%d %d %d\n", c, s, u);
    printf("%d %d %d\n", c == s, c == u, s == u);
    printf("%d %d\n", c < 0, u < 0);
    printf("%d %d\n", CHAR_MIN, CHAR_MAX);
    printf("%d %d %d\n", '\xff', '\377', '\x7f');
    printf("%d\n", (int)sizeof('a'));
    printf("%d\n", 'ab');
    printf("%x\n", (unsigned)'abcd');
    c = 127;
    c++;
    printf("%d\n", c);
    u = 255;
    u++;
    printf("%d\n", u);
    s = -128;
    s--;
    printf("%d\n", s);
    char text[] = "\x80\xff\x01";
    printf("%d %d %d %d\n", text[0], text[1], text[2], (int)sizeof text);
    unsigned char *bytes = (unsigned char *)text;
    printf("%d %d %d\n", bytes[0], bytes[1], bytes[2]);
    printf("%d\n", text[0] == '\x80');
    printf("%d\n", bytes[0] == '\x80');
    printf("%u %u\n", (unsigned)c, (unsigned)(unsigned char)c);
    printf("%d %d\n", c >> 1, (unsigned char)c >> 1);
    printf("%d %d %d %d %d %d %d\n", '\a', '\b', '\f', '\n', '\r', '\t', '\v');
    printf("%d %d %d %d %d\n", '\\', '\'', '\"', '\?', '\0');
    printf("%d\n", '\e');
    return 0;
}
