// Functions that are linked to a program as C: strings, bytes, bits and the order of bytes.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <byteswap.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *texts[] = {"", "a", "ab", "abc,de;f", ",,x,", "Hello, World", "aXbxC", "\xe9t\xe9"};

static void show(const char *bytes) {
    for (int i = 0; i < 16; i++)
        printf("%02x", bytes[i] & 255);
    printf("\n");
}

static void tokens(const char *text, const char *separators) {
    char copy[32], *rest, *at = copy;
    strcpy(copy, text);
    for (char *token = strtok_r(copy, separators, &rest); token; token = strtok_r(0, separators, &rest))
        printf("<%s>", token);
    strcpy(copy, text);
    for (char *token = strsep(&at, separators); token; token = strsep(&at, separators))
        printf("[%s]", token);
    printf("\n");
}

int main(void) {
    for (int i = 0; i < 8; i++) {
        const char *s = texts[i];
        tokens(s, ",;");
        tokens(s, "");
        for (int n = 0; n < 6; n++) {
            char target[16] = "................";
            printf("%td ", stpncpy(target, s, n) - target);
            show(target);
            char *end = memccpy(target, s, 'b', n < (int)strlen(s) ? n : strlen(s));
            printf("%td ", end ? end - target : -1);
            char *found = memrchr(s, 'a' + n, strlen(s));
            printf("%td %td\n", found ? found - s : -1, strchrnul(s, 'a' + n) - s);
        }
        for (int j = 0; j < 8; j++) {
            char *part = memmem(s, strlen(s), texts[j], strlen(texts[j])), *alike = strcasestr(s, texts[j]);
            printf("%td %td ", part ? part - s : -1, alike ? alike - s : -1);
        }
        printf("%td\n", (char *)rawmemchr(s, 0) - s);
    }
    char swapped[16] = "................";
    swab("abcdefg", swapped, 7);
    show(swapped);
    static const long long numbers[] = {0, 1, -1, 2, 8, 0x12345678, 0x100000000, 0x123456789abcdef0, -256};
    for (int i = 0; i < 9; i++) {
        long long n = numbers[i];
        printf("%d %d %d %jd ", ffs(n), ffsl(n), ffsll(n), imaxabs(n));
        printf("%x %x %x %x ", htonl(n), ntohl(n), htons(n), ntohs(n));
        printf("%x %x %llx ", bswap_16(n), bswap_32(n), (long long)bswap_64(n));
        printf("%x %x %llx %x %llx\n", htobe16(n), be32toh(n), (long long)htobe64(n), htole32(n), (long long)le64toh(n));
        div_t d = div(n, 7);
        ldiv_t l = ldiv(n, -7);
        lldiv_t ll = lldiv(n, 1000);
        printf("%d %d %ld %ld %lld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem,
               (long long)imaxdiv(n, 3).rem);
    }
    return 0;
}
