#include "input.c"
#include __FILE__
int main(void) { return __INCLUDE_LEVEL__; }
