/* The file names of the GNU C library's parts on 32-bit x86. */
#define LD_LINUX_SO "ld-linux.so.2"
#define LD_SO "ld-linux.so.2"
#define LIBC_SO "libc.so.6"
#define LIBDL_SO "libdl.so.2"
#define LIBM_SO "libm.so.6"
#define LIBPTHREAD_SO "libpthread.so.0"
