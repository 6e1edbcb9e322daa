// expect: safe
// check: conversion
// why: an explicit conversion that keeps the value

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() & 0xff;
  return (unsigned char)n;
}
