// expect: finished 0
int main(void) {
    char s[] = "text";
    s[0] = 'T';
    return 0;
}
