// expect: unsafe
// check: conversion
// why: a number that does not

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -128 || n > 128) {
    return 0;
  }
  signed char c = n;
  return c;
}
