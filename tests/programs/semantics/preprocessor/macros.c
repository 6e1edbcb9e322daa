// Stringification, pasting, variadic macros, rescanning, conditionals, predefined names.
#include <stdio.h>
#include <stddef.h>

#define STRING(x) #x
#define EXPAND(x) STRING(x)
#define PASTE(a, b) a##b
#define PASTE_EXPANDED(a, b) PASTE(a, b)
#define LOG(format, ...) printf(format "\n", ##__VA_ARGS__)
#define NAMED(args...) sum(args)
#define FIRST(a, ...) a
#define REST(a, ...) __VA_ARGS__
#define ARGUMENTS_STRING(...) #__VA_ARGS__
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1)
#define COUNT_(a, b, c, d, e, n, ...) n
#define OBJECT (42)
#define FUNCTION(x) ((x) * 2)
#define ARGUMENT_NOT_CALLED FUNCTION
#define MULTI_LINE(a) \
    do {              \
        value += a;   \
    } while (0)
#define VALUE 100

static int sum(int a, int b, int c) { return a + b + c; }

#if VALUE > 50 && defined(VALUE) && !defined UNDEFINED && (1 << 3) == 8 && 'a' == 97
static const char *condition = "first";
#elif 1
static const char *condition = "second";
#else
#error not here
#endif

#if 0
this is not "C
#else
#ifdef VALUE
#define INNER 1
#endif
#endif

#if -1 > 0u
#define UNSIGNED_COMPARISON 1
#else
#define UNSIGNED_COMPARISON 0
#endif

#define X_MACRO(X) X(RED, 1) X(GREEN, 2) X(BLUE, 4)
#define AS_ENUM(name, value) name = value,
#define AS_NAME(name, value) [value] = #name,
enum color { X_MACRO(AS_ENUM) };
static const char *const color_names[] = {X_MACRO(AS_NAME)};

int main(void) {
    int value = 0, xy = 7;
    printf("%s %s\n", STRING(VALUE), EXPAND(VALUE));
    printf("%s\n", STRING(a  +   b /* comment */ "quoted \" \n" 'c' '\\'));
    printf("%d %d\n", PASTE(x, y), PASTE_EXPANDED(VAL, UE));
    LOG("no arguments");
    LOG("%d %s", 1, "two");
    printf("%d\n", NAMED(1, 2, 3));
    printf("%d %d\n", FIRST(8, 9), FIRST(REST(1, 2, 3)));
    printf("%s|%s|\n", ARGUMENTS_STRING(a, b , c), ARGUMENTS_STRING());
    printf("%d %d\n", COUNT(a), COUNT(a, b, c));
    printf("%d\n", ARGUMENT_NOT_CALLED(21));
    int recursive = 3;
#define recursive (recursive + 1)
    printf("%d\n", recursive);
    MULTI_LINE(6);
    printf("%d\n", value);
    printf("%s %d %d\n", condition, INNER, UNSIGNED_COMPARISON);
    printf("%s %s %d\n", color_names[GREEN], color_names[BLUE], color_names[3] == NULL);
    printf("%d\n", __LINE__);
    printf("%s %s\n", __func__, __FUNCTION__);
#line 500 "renamed.c"
    printf("%d %s\n", __LINE__, __FILE__);
    printf("%d %d\n", __COUNTER__, __COUNTER__ + 10);
    printf("%d\n", __STDC__);
    printf("%d\n", (int)sizeof(__DATE__));
    int spl\
iced = 5; // a comment that continues \
    spliced = 6;
    printf("%d\n", spliced);
    printf("continued \
string\n");
    printf("%d\n", 1 /* comment with // inside */ + 2 // and /* the other way
    );
    printf("%s\n", "??="); // trigraphs are off by default
%: define DIGRAPH 9
    int digraph<:2:> = <%DIGRAPH, 8%>;
    printf("%d\n", digraph<:0:>);
#undef VALUE
#define VALUE 200
    printf("%d\n", VALUE);
#ifdef __LP64__
    printf("lp64\n");
#else
    printf("ilp32\n");
#endif
    printf("%d %d\n", __SIZEOF_POINTER__, __CHAR_BIT__);
    printf("%s\n", EXPAND(PASTE(<, <=)));
    printf("%d\n", __INCLUDE_LEVEL__);
    return 0;
}
