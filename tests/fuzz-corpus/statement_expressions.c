int a = ({ 1; });
int b[({ int x = 3; x; })];
int f(int x) { return ({ ({ ({ x; }); }); }) + ({ }) + ({ ; }) + ({ return 1; 2; }) + ({ int y; ({ goto l; }); y; }); l: return ({ l2: x; }); }
int main(void) { for (int i = ({ 1; }); ({ if (i) break; i; }); ({ continue; })) ({ switch (i) ({ case 1: 2; }); }); while (({ break; 1; })); return sizeof(({ struct { int x; } s; s; })) + ({ main; })() + ({ int v[a]; v; })[0]; goto inside; return ({ inside: 1; }); }
