// expect: finished 0
int main(void) {
    unsigned char x = 1;
    long long by = 20;
    x <<= by; // the promoted value is shifted, so this is defined and 0
    return x;
}
