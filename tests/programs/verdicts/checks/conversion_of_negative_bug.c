// expect: unsafe
// check: conversion
// why: a negative one does not

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= -1) {
    unsigned u = n;
    return u == 7;
  }
  return 0;
}
