// expect: finished 0
int main(void) {}
