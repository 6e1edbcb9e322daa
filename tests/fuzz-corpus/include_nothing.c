#include
#include <>
#include ""
#include "."
#include "/"
#include "/dev/null"
#include "missing.h"
#include <missing.h>
#include missing
#include "a" "b"
#include MACRO
int main(void) { return 0; }
