__asm__("nop"); asm(".globl x");
register int r asm("eax");
int f(int x) __asm__("g");
int main(void) { int a = 1, b; asm volatile("mov %1, %0" : "=r"(b), "+m"(a) : "r"(a), [n] "i"(3) : "memory", "cc"); asm goto("jmp %l0" : : : : out); asm("" : "=r"(1)); asm("" :::: ); asm(; asm volatile inline goto(""); out: return b; }
