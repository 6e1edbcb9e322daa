// String literals for arrays of characters inside of other arrays, structures and unions whose braces are missing.
#include <stddef.h>
#include <stdio.h>

char global[1][1][5] = { "1234" };
char several[2][2][5] = { "1234", "ab", { "x", "y" } };
char unsized_[][2][3] = { "ab", "cd", "ef" };
char parentheses[1][1][5] = { ("1234") };
char deep[1][2][1][3] = { "ab", "cd" };
char exact[1][2][3] = { "abc", "def" };
char designated[3][2][5] = { [2] = { "5" } };
char designators[3][2][5] = { [2] = { "5", [1] = "abcde" }, [0][1] = "zz" };
wchar_t wide[1][1][3] = { L"12" };
unsigned char bytes[2][1][4] = { "\377\0z", "q" };

struct words {
    int n;
    char t[2][4];
    int m;
} structure = { 1, "abc", "de", 5 };

union either {
    char c[2][3];
    int i;
} choice = { "ab", "c" };

struct outer {
    struct words w[2];
} nested = { { 1, "a", "b", 2, 3, "c", "d", 4 } };

static void show(const char *text, int size) {
    for (int i = 0; i < size; i++)
        printf("%d ", text[i]);
    printf("\n");
}

int main(void) {
    show(global[0][0], sizeof global);
    show(several[0][0], sizeof several);
    show(unsized_[0][0], sizeof unsized_);
    show(parentheses[0][0], sizeof parentheses);
    show(deep[0][0][0], sizeof deep);
    show(exact[0][0], sizeof exact);
    show(designated[0][0], sizeof designated);
    show(designators[0][0], sizeof designators);
    printf("%d %d %d\n", (int)wide[0][0][0], (int)wide[0][0][1], (int)wide[0][0][2]);
    printf("%d %d %d %d\n", bytes[0][0][0], bytes[0][0][1], bytes[0][0][2], bytes[1][0][0]);
    printf("%d %s %s %d\n", structure.n, structure.t[0], structure.t[1], structure.m);
    printf("%s %s\n", choice.c[0], choice.c[1]);
    printf("%s %d %s %d\n", nested.w[0].t[1], nested.w[0].m, nested.w[1].t[1], nested.w[1].m);
    char local[1][1][5] = { "1234" }, (*literal)[2][3] = (char[][2][3]){ "ab", "cd" };
    char later[3][2][5] = { [2] = { "5" } };
    show(local[0][0], sizeof local);
    show(later[0][0], sizeof later);
    show(literal[0][0], sizeof *literal);
    return 0;
}
