// expect: safe
// check: conversion
// why: the truth of a number is no change

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  _Bool b = n;
  return b;
}
