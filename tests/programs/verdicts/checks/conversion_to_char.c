// expect: safe
// check: conversion
// why: a number that fits

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -128 || n > 127) {
    return 0;
  }
  signed char c = n;
  return c;
}
