// expect: unsafe
// check: conversion
// why: one side is unsigned

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  unsigned limit = 10;
  return n < limit;
}
