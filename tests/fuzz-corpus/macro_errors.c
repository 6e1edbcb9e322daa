#define
#define 1
#define F(
#define F(a, a) a
#define F(...,) x
#define F(__VA_ARGS__) x
#define G(x) #y
#define P(a, b) a ## b
#define Q ## a
#define R a ##
#undef
#undef defined
#define defined 1
#define __LINE__ 2
#line 0
#line 99999999999
#line x "y"
#if
#endif
#if 1 +
#elif )
#endif
#if 1 / 0
#else
#else
#elif
#endif
#endif
#if (((((
#endif
#error an error
#warning a warning
#pragma pack(push, 3)
#pragma pack(0x7fffffff)
#pragma unknown
#unknown
# 1 "file" 3 4
# 99999999999 "file"
#include_next <x>
_Pragma("pack(") _Pragma(1)
int x = P(+, +) P(., ..) P("a", b) P(/, /) 1;
int main(void) { return F(1 G() P(1) ; }
