struct incomplete a; struct incomplete *b; void c; void d[3]; int e(void)[3]; int f[](void); struct s { struct s s; } g; enum undefined h; int i = "string"; int *j = 1.5; struct s k = 1;
int main(void) { *1; 1[2]; &1; main = 2; 1 = 2; a.x; b->x; b + 1; *b; sizeof(struct incomplete); (struct s)1; !g; g + 1; -"x"; ~1.5; 1.5 % 2; "a" * "b"; main + main; &main - 1; 1 ? g : 1; g ? 1 : 2; switch (1.5) { case x: case "a": ; } break; continue; case 1: default: if (g) ; while (c) ; return g; int main; (void)0 + 1; undeclared++; undeclared(1)(2); 1(2); ; return "x"; }
int main(int x) { return x; }
char main;
int l; char l; static int l; extern float l; typedef int l;
