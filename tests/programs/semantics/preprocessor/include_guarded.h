#ifndef INCLUDE_GUARDED_H
#define INCLUDE_GUARDED_H
#define INCLUDED_TIMES 1
static inline int guarded(int x) { return x * 7; }
#else
#undef INCLUDED_TIMES
#define INCLUDED_TIMES 2
#endif
