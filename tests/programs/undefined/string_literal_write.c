// undefined: cannot be changed at 4:5
int main(void) {
    char *s = "text";
    s[0] = 'T';
    return 0;
}
