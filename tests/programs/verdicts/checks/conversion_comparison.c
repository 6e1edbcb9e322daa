// expect: safe
// check: conversion
// why: both sides are signed

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int limit = 10;
  return n < limit;
}
