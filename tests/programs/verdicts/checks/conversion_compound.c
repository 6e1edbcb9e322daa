// expect: safe
// check: conversion
// why: a short counter that stays short

int main(void) {
  unsigned char c = 250;
  for (int i = 0; i < 5; i++) {
    c++;
  }
  return c;
}
