int x; \
\
