#if 1
#ifdef X
#define F(a, b
#include <
#include "x
int main(void) { if (1) { while (2 { do { switch (3) { case 4: { int x[5 = {6, f(7, ({ 8; "\