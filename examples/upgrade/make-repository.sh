#!/bin/sh
# Makes a small git repository with ten commits of a bounded queue, one of which breaks a property:
#
#   examples/upgrade/make-repository.sh /tmp/queue && cd /tmp/queue
#   rorqual upgrade --git HEAD~9..HEAD harness.c queue.c
set -eu
directory=${1:?usage: make-repository.sh DIRECTORY}
mkdir "$directory" && cd "$directory"
git init --quiet .

commit() {
    git add --all
    git -c user.name=Example -c user.email=example@example.org commit --quiet --message "$1"
}

# Replaces text in a file: FILE, OLD, NEW.
change() {
    sed "s|$2|$3|" "$1" > "$1.new" && mv "$1.new" "$1"
}

cat > queue.c <<'EOF'
#include "queue.h"

static int items[8];
static int head, count;

int queue_put(int value) {
    if (count == 8)
        return 0;
    items[(head + count) % 8] = value;
    count++;
    return 1;
}

int queue_get(int *value) {
    if (count == 0)
        return 0;
    *value = items[head];
    head = (head + 1) % 8;
    count--;
    return 1;
}

int queue_size(void) { return count; }
EOF
cat > queue.h <<'EOF'
int queue_put(int value);
int queue_get(int *value);
int queue_size(void);
EOF
cat > harness.c <<'EOF'
#include <assert.h>

#include "queue.h"

extern int __VERIFIER_nondet_int(void);

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int value = 0;
        if (__VERIFIER_nondet_int())
            queue_put(__VERIFIER_nondet_int());
        else
            queue_get(&value);
        assert(queue_size() >= 0 && queue_size() <= 8);
    }
    return 0;
}
EOF
commit "a queue"
change queue.c 'static int head, count;' 'static int head, count; /* the items are at head, head + 1, … */'
commit "say what head is"
change queue.c 'int value) {' 'int item) {' && change queue.c '= value;' '= item;'
commit "rename a parameter"
echo 'int queue_is_empty(void) { return count == 0; }' >> queue.c && echo 'int queue_is_empty(void);' >> queue.h
commit "queue_is_empty"
change queue.c 'if (count == 0)' 'if (queue_is_empty())'
commit "use it in queue_get"
change queue.c 'count == 8' 'count >= 8'
commit "be careful in queue_put"
change queue.c 'head = (head + 1) % 8;' 'head++; if (head == 8) head = 0;'
commit "no division in queue_get"
change queue.c 'count >= 8' 'count > 8'
commit "tidy up queue_put"
echo 'void queue_clear(void) { head = 0; count = 0; }' >> queue.c && echo 'void queue_clear(void);' >> queue.h
commit "queue_clear"
change queue.c 'count > 8' 'count == 8'
commit "a full queue takes nothing"
