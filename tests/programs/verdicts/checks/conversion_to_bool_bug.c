// expect: unsafe
// check: conversion
// why: a character is no truth value

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  signed char b = n;
  return b;
}
