// rorqual check specs/examples/file.c --spec specs/file.spec
struct file;
struct file *open_file(const char *name, int mode);
void write_file(int byte, struct file *file);
void close_file(struct file *file);
int __VERIFIER_nondet_int(void);

int main(void) {
    struct file *log = open_file("log", 1);
    if (!log)
        return 1;
    while (__VERIFIER_nondet_int())
        write_file('x', log);
    close_file(log);
    return 0;
}
