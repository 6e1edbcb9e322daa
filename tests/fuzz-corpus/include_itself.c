#include "include_itself.c"
#include __FILE__
int main(void) { return __INCLUDE_LEVEL__; }
