int a[] = {L'', L'ab', u'\U0001F600', U'\UFFFFFFFF', '\u0041', u8'a', L'\xfffffffff', '\u{41}', '\N{DIGIT ONE}'};
int *s = L"a" u"b" U"c" "d"; char *t = u8"a" "b\
" L"c"; char v[] = L"x"; int w[3] = L"toolong"; short x[] = u"\U0010FFFF\uD800";
int \u00e9 = 1, \u0030x, \uZZZZ;
int main(void) { return R"(raw)"[0] + "\q\8\x\u12"[1]; }
