// expect: safe
// check: conversion
// why: a natural number becomes unsigned

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 0) {
    unsigned u = n;
    return u == 7;
  }
  return 0;
}
