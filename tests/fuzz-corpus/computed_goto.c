int f(int n) { static void *t[] = {&&a, &&b, &&c, &&missing}; goto *t[n]; a: goto *&&b; b: return &&a - &&b; c: goto *(void *)n; a: ; }
void *g = &&a;
int main(void) { goto nowhere; void *p = &&end; goto *p; goto *1; __label__ x; { __label__ x; x: goto x; } end: ; } int unreachable_label: 3;
