// Bitwise operators on all widths, and small algorithms made of them.
#include <stdint.h>
#include <stdio.h>

static unsigned reverse(unsigned v) {
    v = ((v >> 1) & 0x55555555) | ((v & 0x55555555) << 1);
    v = ((v >> 2) & 0x33333333) | ((v & 0x33333333) << 2);
    v = ((v >> 4) & 0x0f0f0f0f) | ((v & 0x0f0f0f0f) << 4);
    v = ((v >> 8) & 0x00ff00ff) | ((v & 0x00ff00ff) << 8);
    return (v >> 16) | (v << 16);
}

static uint32_t rotate32(uint32_t x, int n) { return (x << n) | (x >> (32 - n)); }
static uint64_t rotate64(uint64_t x, int n) { return (x << n) | (x >> (64 - n)); }
static uint16_t rotate16(uint16_t x, int n) { return (x << n) | (x >> (16 - n)); }
static uint8_t rotate8(uint8_t x, int n) { return (x << n) | (x >> (8 - n)); }

static uint32_t crc(const char *text) {
    uint32_t crc = ~0u;
    for (; *text; text++) {
        crc ^= (unsigned char)*text;
        for (int k = 0; k < 8; k++) {
            crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
        }
    }
    return ~crc;
}

static uint64_t xorshift(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int main(void) {
    signed char c = 0x5a;
    short s = -0x1234;
    long long ll = -0x123456789LL;
    printf("%d %d %d\n", c & s, c | s, c ^ s);
    printf("%lld %lld %lld\n", c & ll, s | ll, c ^ ll);
    printf("%lld %lld\n", ll & 0xffffffffu, ll & 0x80000000);
    printf("%d %d %u %llu\n", ~c, ~s, ~0u, ~0ull);
    printf("%x %x\n", reverse(0x12345678), reverse(1));
    for (int n = 1; n < 8; n++) {
        printf("%x %llx %x %x\n", rotate32(0x80000001u, n), (unsigned long long)rotate64(0x8000000000000003u, n),
               rotate16(0x8001, n), rotate8(0x81, n));
    }
    printf("%x %x\n", crc("123456789"), crc(""));
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 10; i++) {
        printf("%llu\n", (unsigned long long)xorshift(&state));
    }
    int x = 12, y = 25;
    x ^= y;
    y ^= x;
    x ^= y;
    printf("%d %d\n", x, y);
    printf("%d %d\n", x & -x, y & (y - 1));
    unsigned count = 0;
    for (unsigned v = 0xdeadbeef; v; v &= v - 1) {
        count++;
    }
    printf("%u\n", count);
    return 0;
}
