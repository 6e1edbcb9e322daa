// Arrays of characters from string literals; literals as objects; concatenation.
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static char sized[10] = "abc";
static char exact[3] = "abc";
static char braces[] = {"in braces"};
static char letters[] = {'x', 'y', 0};
static char table[3][4] = {"one", "two", {'s', 'i', 'x'}};
static char embedded[] = "a\0b";
static const char *pointer = "pointer" + 3;
static char concatenated[] = "one "
                             "two"
                             " three";
static struct {
    char tag[4];
    const char *text;
    int n;
} records[] = {{"r1", "first", 1}, {"r2", "second", 2}, {.n = 3}};
static unsigned char bytes[] = "\xff\x80";
static signed char hex[] = "\x41" "1\1012\1";

static void dump(const void *p, int n) {
    const unsigned char *b = p;
    for (int i = 0; i < n; i++) {
        printf("%02x", b[i]);
    }
    printf("\n");
}

int main(void) {
    dump(sized, sizeof sized);
    dump(exact, sizeof exact);
    dump(braces, sizeof braces);
    dump(letters, sizeof letters);
    dump(table, sizeof table);
    dump(embedded, sizeof embedded);
    dump(bytes, sizeof bytes);
    dump(hex, sizeof hex);
    printf("%s %s %d\n", pointer, concatenated, (int)strlen(concatenated));
    for (int i = 0; i < 3; i++) {
        printf("%.4s %s %d\n", records[i].tag, records[i].text ? records[i].text : "(none)", records[i].n);
    }
    char local[8] = "local";
    local[0]++;
    dump(local, sizeof local);
    for (int i = 0; i < 2; i++) {
        char fresh[] = "fresh";
        fresh[i] = '-';
        printf("%s\n", fresh);
    }
    printf("%c %c %c\n", "literal"[2], *("literal" + 3), 4["literal"]);
    printf("%d %d\n", (int)sizeof("literal"), (int)sizeof("a" "b" "\0"));
    printf("%s\n", &"skip this"[5]);
    printf("a\tb\\n\"quoted\" \'single\' \x21 \041 \? %%\n");

    wchar_t wide[] = L"w\u00e9\x3042";
    printf("%d %d %d %d\n", (int)sizeof wide / (int)sizeof *wide, (int)wide[0], (int)wide[1], (int)wide[2]);
    unsigned short utf16[] = u"\U0001F600z";
    printf("%d %x %x %x\n", (int)(sizeof utf16 / sizeof *utf16), utf16[0], utf16[1], utf16[2]);
    unsigned utf32[] = U"\U0001F600z";
    printf("%d %x %x\n", (int)(sizeof utf32 / sizeof *utf32), utf32[0], utf32[1]);
    char utf8[] = u8"\u00e9é";
    dump(utf8, sizeof utf8);
    printf("%d %d %d\n", (int)L'x', (int)u'\u00e9', (int)U'\U0001F600');
    printf("%d\n", (int)sizeof(L'x'));
    const wchar_t *joined = L"ab" "cd";
    printf("%d %d\n", (int)joined[3], (int)joined[4]);
    return 0;
}
