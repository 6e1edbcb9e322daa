int ÿþ = 1; char *s = "Ã( ¡"; wchar_t *w = L"â(¡"; int Ã©tÃ© = 2; // ð(Œ¼
int main(void) { return 'ÿ' + L'Ã' + í €; }
