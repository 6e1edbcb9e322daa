// expect: unsafe
// check: conversion
// why: an explicit conversion that does not

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() & 0x1ff;
  return (unsigned char)n;
}
