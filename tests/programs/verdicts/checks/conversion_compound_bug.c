// expect: unsafe
// check: conversion
// why: a short counter that overflows

int main(void) {
  unsigned char c = 250;
  for (int i = 0; i < 6; i++) {
    c++;
  }
  return c;
}
