i\
n\
t m\
ain(vo\
id) { // comment \
still comment
re\  
turn "a\
b"[0] /\
* c */ + 1\