/* A second checker of Bitreferee certificates, written from docs/certificate-format.md alone. C99, no library but the standard one
 * and POSIX to open the file.
 *
 *     cc -std=c99 -O2 -o recheck recheck.c && ./recheck FILE
 *
 * FILE is the JSON, not compressed. It prints one line: "accepted", "refused: ..." or "too large: ...", with status 0, 1 or 3;
 * "not checked: ..." with status 4 for the kind every-length, which it does not read.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

__extension__ typedef __int128 State;
__extension__ typedef unsigned __int128 Wide;
typedef uint32_t Digit;

static void end(int status, const char *said, const char *form, va_list more) {
    printf("%s", said);
    vprintf(form, more);
    printf("\n");
    exit(fflush(stdout) ? 2 : status);
}
static void refuse(const char *form, ...) {
    va_list more;
    va_start(more, form);
    end(1, "refused: ", form, more);
}
static void too_large(const char *form, ...) {
    va_list more;
    va_start(more, form);
    end(3, "too large: ", form, more);
}

/* ---- memory: one long piece; what an operation leaves behind is given back by resetting the mark */
#define ARENA ((size_t)3 << 28)
static char *arena;
static size_t mark;
static void *take(size_t count, size_t size) {
    size_t bytes = (count * size + 15) & ~(size_t)15;
    if (bytes > ARENA || mark + bytes > ARENA) too_large("more than %zu bytes of memory", ARENA);
    void *piece = arena + mark;
    mark += bytes;
    memset(piece, 0, bytes);
    return piece;
}
static long long steps;
static void spend(long long some) {
    steps += some;
    if (some < 0 || steps > 20000000000LL) too_large("more steps than 20000000000");
}

/* ---- natural numbers, digits of 32 bits, the lowest first, no leading zero */
typedef struct { int n; Digit *d; } Nat;

static Nat nat_room(int n) { Nat a = {n, take((size_t)(n > 0 ? n : 1), sizeof(Digit))}; return a; }
static Nat trim(Nat a) { while (a.n && !a.d[a.n - 1]) a.n--; return a; }
static Nat nat(Wide x) {
    Nat a = nat_room(4);
    for (int k = 0; k < 4; k++) a.d[k] = (Digit)(x >> 32 * k);
    return trim(a);
}
static int length_of(Nat a) { return a.n ? 32 * a.n - __builtin_clz(a.d[a.n - 1]) : 0; }
static int compare(Nat a, Nat b) {
    if (a.n != b.n) return a.n < b.n ? -1 : 1;
    for (int k = a.n; k--;) if (a.d[k] != b.d[k]) return a.d[k] < b.d[k] ? -1 : 1;
    return 0;
}
static Nat plus(Nat a, Nat b) {
    if (a.n < b.n) { Nat c = a; a = b; b = c; }
    Nat s = nat_room(a.n + 1);
    uint64_t carry = 0;
    for (int k = 0; k <= a.n; k++) {
        carry += (uint64_t)(k < a.n ? a.d[k] : 0) + (k < b.n ? b.d[k] : 0);
        s.d[k] = (Digit)carry;
        carry >>= 32;
    }
    return trim(s);
}
static Nat minus(Nat a, Nat b) { /* a >= b */
    Nat s = nat_room(a.n);
    int64_t carry = 0;
    for (int k = 0; k < a.n; k++) {
        carry += (int64_t)a.d[k] - (k < b.n ? b.d[k] : 0);
        s.d[k] = (Digit)carry;
        carry >>= 32;
    }
    return trim(s);
}
static Nat times(Nat a, Nat b) {
    Nat p = nat_room(a.n + b.n);
    spend((long long)a.n * b.n);
    for (int i = 0; i < a.n; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < b.n; k++) {
            carry += (uint64_t)a.d[i] * b.d[k] + p.d[i + k];
            p.d[i + k] = (Digit)carry;
            carry >>= 32;
        }
        p.d[i + b.n] = (Digit)carry;
    }
    return trim(p);
}
static Nat up(Nat a, int bits) { /* a 2^bits */
    if (!a.n) return a;
    Nat s = nat_room(a.n + bits / 32 + 1);
    for (int k = 0; k < a.n; k++) {
        uint64_t x = (uint64_t)a.d[k] << bits % 32;
        s.d[k + bits / 32] |= (Digit)x;
        s.d[k + bits / 32 + 1] |= (Digit)(x >> 32);
    }
    return trim(s);
}
static Nat down(Nat a, int bits) { /* the floor of a / 2^bits */
    int words = bits / 32;
    if (a.n <= words) return nat(0);
    Nat s = nat_room(a.n - words);
    for (int k = 0; k < s.n; k++) {
        uint64_t x = a.d[k + words] | (uint64_t)(k + words + 1 < a.n ? a.d[k + words + 1] : 0) << 32;
        s.d[k] = (Digit)(x >> bits % 32);
    }
    return trim(s);
}
static Nat divided(Nat a, Nat b, Nat *rest) { /* school division, both moved up until the top digit of b is full */
    if (!b.n) abort();
    if (compare(a, b) < 0) { *rest = a; return nat(0); }
    int shift = 32 * b.n - length_of(b);
    Nat v = up(b, shift), m = up(a, shift), u = nat_room(m.n + 1);
    memcpy(u.d, m.d, (size_t)m.n * sizeof(Digit));
    int n = v.n, places = m.n - n + 1;
    Nat q = nat_room(places);
    spend((long long)places * n);
    for (int j = places; j--;) {
        uint64_t top = (uint64_t)u.d[j + n] << 32 | u.d[j + n - 1], guess = top / v.d[n - 1], left = top % v.d[n - 1];
        while (guess >> 32 || (n > 1 && guess * v.d[n - 2] > (left << 32 | u.d[j + n - 2]))) {
            guess--;
            left += v.d[n - 1];
            if (left >> 32) break;
        }
        uint64_t carry = 0;
        int64_t borrow = 0;
        for (int k = 0; k < n; k++) {
            carry += guess * v.d[k];
            borrow += (int64_t)u.d[j + k] - (Digit)carry;
            u.d[j + k] = (Digit)borrow;
            borrow >>= 32;
            carry >>= 32;
        }
        borrow += (int64_t)u.d[j + n] - (int64_t)carry;
        u.d[j + n] = (Digit)borrow;
        if (borrow < 0) { /* one too many */
            guess--;
            uint64_t again = 0;
            for (int k = 0; k < n; k++) {
                again += (uint64_t)u.d[j + k] + v.d[k];
                u.d[j + k] = (Digit)again;
                again >>= 32;
            }
            u.d[j + n] += (Digit)again;
        }
        q.d[j] = (Digit)guess;
    }
    *rest = down(trim(u), shift);
    return trim(q);
}
static Nat gcd(Nat a, Nat b) {
    while (b.n) { Nat rest; divided(a, b, &rest); a = b; b = rest; }
    return a;
}
static Nat ten_to(int k) {
    Nat p = nat(1), ten = nat(10);
    while (k--) p = times(p, ten);
    return p;
}
static Nat decimal(const char *text, int count) {
    Nat x = nat(0), ten = nat(10);
    for (int k = 0; k < count; k++) x = plus(times(x, ten), nat((Wide)(text[k] - '0')));
    return x;
}
static int small(Nat a, Wide *x) { /* whether it has at most 126 bits */
    *x = 0;
    if (length_of(a) > 126) return 0;
    for (int k = a.n; k--;) *x = *x << 32 | a.d[k];
    return 1;
}

/* ---- values: a rational, or what is none */
typedef enum { RATIONAL, INFINITE, NONE, LARGE } Sort; /* NONE is NaN, LARGE the symbol N */
typedef struct { Sort sort; int negative; Nat top, bottom; } Value;

static Value rational(int negative, Nat top, Nat bottom) { Value x = {RATIONAL, negative && top.n, top, bottom}; return x; }
static Value word(Sort sort, int negative) { Value x = {sort, negative, {0, NULL}, {0, NULL}}; return x; }
static int sign_of(Value x) { return x.sort == RATIONAL && !x.top.n ? 0 : x.negative ? -1 : 1; }
static Value exact_product(Value x, Value y) {
    if (x.sort == NONE || y.sort == NONE) return word(NONE, 0);
    if (x.sort == RATIONAL && y.sort == RATIONAL)
        return rational(x.negative != y.negative, times(x.top, y.top), times(x.bottom, y.bottom));
    int side = sign_of(x) * sign_of(y), large = x.sort == LARGE || y.sort == LARGE;
    if (!side) return large ? rational(0, nat(0), nat(1)) : word(NONE, 0);
    return word(large ? LARGE : INFINITE, side < 0);
}
static Value exact_sum(Value x, Value y) {
    Nat a = times(x.top, y.bottom), b = times(y.top, x.bottom), bottom = times(x.bottom, y.bottom);
    if (x.negative == y.negative) return rational(x.negative, plus(a, b), bottom);
    int less = compare(a, b) < 0;
    return rational(less ? y.negative : x.negative, less ? minus(b, a) : minus(a, b), bottom);
}
static int same_value(Value x, Value y) {
    if (x.sort != y.sort) return 0;
    if (x.sort == NONE) return 1;
    if (x.sort != RATIONAL) return x.negative == y.negative;
    return x.negative == y.negative && !compare(times(x.top, y.bottom), times(y.top, x.bottom));
}

/* ---- JSON */
typedef enum { TEXT, LIST, RECORD, TRUE, FALSE, NIL } Kind;
typedef struct Json { Kind kind; int size; uint32_t *letters; struct Json **items; struct Json **keys; } Json;

static const unsigned char *here, *finish;
static void blanks(void) { while (here < finish && (*here == ' ' || *here == '\t' || *here == '\n' || *here == '\r')) here++; }
static uint32_t hexadecimal(void) {
    uint32_t x = 0;
    for (int k = 0; k < 4; k++, here++) {
        int c = here < finish ? *here : 0, v = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (v < 0) refuse("JSON: four hexadecimal digits were expected");
        x = x << 4 | (uint32_t)v;
    }
    return x;
}
static uint32_t letter(void) { /* one of UTF-8 */
    uint32_t c = *here++;
    int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
    if (more < 0) refuse("the file is not UTF-8");
    if (more) c &= 0x3fu >> more;
    for (int k = 0; k < more; k++) {
        if (here >= finish || (*here & 0xc0) != 0x80) refuse("the file is not UTF-8");
        c = c << 6 | (*here++ & 0x3f);
    }
    if ((more == 2 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) || (more == 3 && (c < 0x10000 || c > 0x10ffff))) refuse("the file is not UTF-8");
    return c;
}
static Json *new_json(Kind kind) { Json *j = take(1, sizeof(Json)); j->kind = kind; return j; }
static Json *read_text(void) {
    Json *j = new_json(TEXT);
    const unsigned char *ahead = ++here;
    while (ahead < finish && *ahead != '"') ahead += *ahead == '\\' ? 2 : 1;
    j->letters = take((size_t)(ahead - here) + 1, sizeof(uint32_t));
    for (;;) {
        if (here >= finish) refuse("JSON: a text without end");
        uint32_t c = letter();
        if (c == '"') return j;
        if (c < ' ') refuse("JSON: a control character in a text");
        if (c == '\\') {
            static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
            int e = here < finish ? *here++ : 0;
            const char *at = e ? strchr(from, e) : NULL;
            if (at) c = (uint32_t)to[at - from];
            else if (e != 'u') refuse("JSON: an escape that there is not");
            else {
                c = hexadecimal();
                if (c >= 0xd800 && c < 0xdc00 && finish - here > 5 && here[0] == '\\' && here[1] == 'u') {
                    const unsigned char *before = here;
                    here += 2;
                    uint32_t low = hexadecimal();
                    if (low >= 0xdc00 && low < 0xe000) c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                    else here = before;
                }
            }
        }
        j->letters[j->size++] = c;
    }
}
static int digits_here(void) { int k = 0; while (here < finish && *here >= '0' && *here <= '9') here++, k++; return k; }
static Json *read_number(void) {
    const unsigned char *start = here;
    if (*here == '-') here++;
    if (here < finish && *here == '0') here++;
    else if (!digits_here()) refuse("JSON: not a value");
    if (here < finish && *here == '.') { here++; if (!digits_here()) refuse("JSON: not a number"); }
    if (here < finish && (*here | 32) == 'e') {
        here++;
        if (here < finish && (*here == '+' || *here == '-')) here++;
        if (!digits_here()) refuse("JSON: not a number");
    }
    Json *j = new_json(TEXT);
    j->size = (int)(here - start);
    j->letters = take((size_t)j->size, sizeof(uint32_t));
    for (int k = 0; k < j->size; k++) j->letters[k] = start[k];
    return j;
}
static int same_text(const Json *a, const Json *b) { return a->size == b->size && !memcmp(a->letters, b->letters, (size_t)a->size * sizeof(uint32_t)); }
static int by_text(const void *p, const void *q) {
    const Json *a = *(Json *const *)p, *b = *(Json *const *)q;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return memcmp(a->letters, b->letters, (size_t)a->size * sizeof(uint32_t));
}
static Json *read_json(int depth) {
    blanks();
    if (here >= finish) refuse("JSON: it ends too soon");
    if (*here == '"') return read_text();
    static const struct { const char *word; Kind kind; } words[] = {{"true", TRUE}, {"false", FALSE}, {"null", NIL}};
    for (int k = 0; k < 3; k++) {
        size_t n = strlen(words[k].word);
        if ((size_t)(finish - here) >= n && !memcmp(here, words[k].word, n)) { here += n; return new_json(words[k].kind); }
    }
    if (*here != '[' && *here != '{') return read_number();
    if (depth == 64) refuse("JSON: more than 64 deep");
    int record = *here++ == '{', room = 0;
    unsigned char close = record ? '}' : ']';
    Json *j = new_json(record ? RECORD : LIST), **items = NULL, **keys = NULL;
    for (blanks(); here < finish && *here == close && !j->size;) { here++; return j; }
    for (;;) {
        if (j->size == room) {
            room = room ? 2 * room : 8;
            items = realloc(items, (size_t)room * sizeof *items);
            keys = realloc(keys, (size_t)room * sizeof *keys);
            if (!items || !keys) too_large("out of memory");
        }
        if (record) {
            blanks();
            if (here >= finish || *here != '"') refuse("JSON: a key was expected");
            keys[j->size] = read_text();
            blanks();
            if (here >= finish || *here++ != ':') refuse("JSON: a colon was expected");
        }
        items[j->size++] = read_json(depth + 1);
        blanks();
        if (here < finish && *here == ',') { here++; continue; }
        if (here < finish && *here == close) { here++; break; }
        refuse("JSON: a comma or an end was expected");
    }
    j->items = take((size_t)j->size, sizeof *items);
    memcpy(j->items, items, (size_t)j->size * sizeof *items);
    if (record) {
        j->keys = take((size_t)j->size, sizeof *keys);
        memcpy(j->keys, keys, (size_t)j->size * sizeof *keys);
        qsort(keys, (size_t)j->size, sizeof *keys, by_text);
        for (int k = 1; k < j->size; k++) if (same_text(keys[k - 1], keys[k])) refuse("JSON: a key is there twice");
    }
    free(items);
    free(keys);
    return j;
}

/* ---- reading pieces */
static int is(const Json *j, const char *text) {
    if (j->kind != TEXT || j->size != (int)strlen(text)) return 0;
    for (int k = 0; k < j->size; k++) if (j->letters[k] != (unsigned char)text[k]) return 0;
    return 1;
}
static Json *find(const Json *j, const char *key) {
    for (int k = 0; k < j->size; k++) if (is(j->keys[k], key)) return j->items[k];
    return NULL;
}
static Json *part(const Json *j, const char *key) {
    Json *found = j->kind == RECORD ? find(j, key) : NULL;
    if (!found) refuse("no %s", key);
    return found;
}
static void record(const Json *j, int count, const char *const *keys) {
    if (j->kind != RECORD || j->size != count) refuse("a record with %s and so on was expected", keys[0]);
    for (int k = 0; k < count; k++) part(j, keys[k]);
}
#define RECORD_OF(j, ...) record(j, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), (const char *[]){__VA_ARGS__})
static Json *list(Json *j, int count) {
    if (j->kind != LIST || (count >= 0 && j->size != count)) refuse("a list of %d was expected", count);
    return j;
}
static int choice(const Json *j, const char *const *words) {
    for (int k = 0; words[k]; k++) if (is(j, words[k])) return k;
    refuse("none of %s, ...", words[0]);
    return 0;
}
#define CHOICE(j, ...) choice(j, (const char *[]){__VA_ARGS__, NULL})
static char *plain(const Json *j) { /* of ASCII characters, or NULL */
    if (j->kind != TEXT) return NULL;
    char *text = take((size_t)j->size + 1, 1);
    for (int k = 0; k < j->size; k++) {
        if (j->letters[k] == 0 || j->letters[k] > 126) return NULL;
        text[k] = (char)j->letters[k];
    }
    return text;
}
static int run_of(const char *text) { return (int)strspn(text, "0123456789"); }
static int read_rational(const Json *j, Value *x) {
    char *text = plain(j);
    if (!text) return 0;
    int negative = *text == '-';
    if (negative || *text == '+') text++;
    int n = run_of(text);
    if (n < 1 || n > 300) return 0;
    const char *after = text + n;
    if (!*after) { *x = rational(negative, decimal(text, n), nat(1)); return 1; }
    int m = run_of(after + 1);
    if (m < 1 || after[1 + m]) return 0;
    if (*after == '.') {
        if (m > 300) return 0;
        Nat bottom = ten_to(m);
        *x = rational(negative, plus(times(decimal(text, n), bottom), decimal(after + 1, m)), bottom);
        return 1;
    }
    int zeros = (int)strspn(after + 1, "0");
    if (*after != '/' || zeros > 300 || m - zeros < 1 || m - zeros > 300) return 0;
    *x = rational(negative, decimal(text, n), decimal(after + 1, m));
    return 1;
}
static Value number(const Json *j) {
    Value x = word(NONE, 0);
    if (!read_rational(j, &x)) refuse("an exact number was expected");
    return x;
}
static Value integral(const Json *j) { /* an integer, over 1 */
    char *text = plain(j);
    if (text) {
        int negative = *text == '-', n;
        if (negative || *text == '+') text++;
        n = run_of(text);
        if (n >= 1 && n <= 2000 && !text[n]) return rational(negative, decimal(text, n), nat(1));
    }
    Value x = number(j);
    Nat rest, top = divided(x.top, x.bottom, &rest);
    if (rest.n) refuse("an integer was expected");
    return rational(x.negative, top, nat(1));
}
static State integer(const Json *j, State low, State high) {
    Value x = integral(j);
    Wide size;
    if (!small(x.top, &size)) refuse("an integer within its limits was expected");
    State s = x.negative ? -(State)size : (State)size;
    if (s < low || s > high) refuse("an integer within its limits was expected");
    return s;
}
static Value value(const Json *j) {
    if (is(j, "nan")) return word(NONE, 0);
    if (is(j, "inf") || is(j, "-inf")) return word(INFINITE, is(j, "-inf"));
    return number(j);
}
static void integer_is(const Json *j, Nat expected) {
    Value x = integral(j);
    if (x.negative || compare(x.top, expected)) refuse("another integer was expected");
}

/* ---- the digest: SHA-256 of the canonical statement */
static char *text_out;
static size_t text_size, text_room;
static void put(const char *some, size_t n) {
    if (text_size + n > text_room) {
        text_room = 2 * (text_size + n);
        if (!(text_out = realloc(text_out, text_room))) too_large("out of memory");
    }
    memcpy(text_out + text_size, some, n);
    text_size += n;
}
static void put_nat(Nat a) {
    size_t before = text_size;
    Nat rest, bound = nat(1000000000);
    do {
        a = divided(a, bound, &rest);
        char nine[16];
        Wide low;
        small(rest, &low);
        sprintf(nine, "%09u", (unsigned)low);
        for (int k = 9; k--;) put(nine + k, 1);
    } while (a.n);
    while (text_size - before > 1 && text_out[text_size - 1] == '0') text_size--;
    for (size_t i = before, k = text_size - 1; i < k; i++, k--) { char c = text_out[i]; text_out[i] = text_out[k]; text_out[k] = c; }
}
static void put_text(const Json *j) {
    put("\"", 1);
    size_t before = mark;
    Value x;
    if (read_rational(j, &x)) {
        Nat rest, common = gcd(x.top, x.bottom), bottom = divided(x.bottom, common, &rest);
        if (x.negative) put("-", 1);
        put_nat(divided(x.top, common, &rest));
        if (compare(bottom, nat(1))) { put("/", 1); put_nat(bottom); }
    } else for (int k = 0; k < j->size; k++) {
        static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
        uint32_t c = j->letters[k];
        const char *at = c && c < 127 ? strchr(from, (int)c) : NULL;
        char escaped[16];
        if (at) sprintf(escaped, "\\%c", to[at - from]);
        else if (c >= ' ' && c <= '~') sprintf(escaped, "%c", (char)c);
        else if (c < 0x10000) sprintf(escaped, "\\u%04x", (unsigned)c);
        else sprintf(escaped, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)), (unsigned)(0xdc00 + (c & 0x3ff)));
        put(escaped, strlen(escaped));
    }
    mark = before;
    put("\"", 1);
}
static int by_key(const void *p, const void *q) {
    const Json *a = *(Json *const *)p, *b = *(Json *const *)q;
    for (int k = 0; k < a->size && k < b->size; k++) if (a->letters[k] != b->letters[k]) return a->letters[k] < b->letters[k] ? -1 : 1;
    return (a->size > b->size) - (a->size < b->size);
}
static void put_json(const Json *j) {
    if (j->kind == TEXT) put_text(j);
    else if (j->kind == LIST) {
        put("[", 1);
        for (int k = 0; k < j->size; k++) { if (k) put(",", 1); put_json(j->items[k]); }
        put("]", 1);
    } else if (j->kind == RECORD) {
        Json **keys = take((size_t)j->size, sizeof *keys);
        memcpy(keys, j->keys, (size_t)j->size * sizeof *keys);
        qsort(keys, (size_t)j->size, sizeof *keys, by_key);
        put("{", 1);
        for (int k = 0; k < j->size; k++) {
            if (k) put(",", 1);
            put_text(keys[k]);
            put(":", 1);
            for (int i = 0; i < j->size; i++) if (j->keys[i] == keys[k]) put_json(j->items[i]);
        }
        put("}", 1);
    } else put(j->kind == TRUE ? "true" : j->kind == FALSE ? "false" : "null", j->kind == FALSE ? 5 : 4);
}
static uint32_t turned(uint32_t x, int k) { return x >> k | x << (32 - k); }
static uint32_t root_bits(int p, int cube) { /* the first 32 bits behind the point of the square or cube root of p */
    Wide low = 0;
    for (int k = 37; k >= 0; k--) {
        Wide x = low | (Wide)1 << k;
        if (cube ? x * x * x <= (Wide)p << 96 : x * x <= (Wide)p << 64) low = x;
    }
    return (uint32_t)low;
}
static void sha256(unsigned char *data, size_t n, char *shown) { /* data has room for 128 bytes more */
    uint32_t h[8], K[64];
    int count = 0;
    for (int p = 2; count < 64; p++) {
        int prime = 1;
        for (int k = 2; k * k <= p; k++) if (p % k == 0) prime = 0;
        if (prime) { if (count < 8) h[count] = root_bits(p, 0); K[count++] = root_bits(p, 1); }
    }
    size_t whole = (n + 9 + 63) / 64 * 64;
    memset(data + n, 0, whole - n);
    data[n] = 0x80;
    for (int k = 0; k < 8; k++) data[whole - 1 - (size_t)k] = (unsigned char)((uint64_t)n * 8 >> 8 * k);
    for (size_t at = 0; at < whole; at += 64) {
        uint32_t w[64], v[8];
        for (int k = 0; k < 16; k++) {
            const unsigned char *b = data + at + 4 * k;
            w[k] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        }
        for (int k = 16; k < 64; k++) {
            uint32_t a = w[k - 15], b = w[k - 2];
            w[k] = w[k - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[k - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
        }
        memcpy(v, h, sizeof v);
        for (int k = 0; k < 64; k++) {
            uint32_t one = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[k] + w[k];
            uint32_t two = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += one;
            v[0] = one + two;
        }
        for (int k = 0; k < 8; k++) h[k] += v[k];
    }
    for (int k = 0; k < 8; k++) sprintf(shown + 8 * k, "%08x", (unsigned)h[k]);
}
static void check_digest(const Json *whole) {
    static const char *const names[] = {"claim", "construction", "edition", "format", "kind", "parameters", "problem", "semantics", "sums"};
    char shown[80] = "sha256:";
    put("{", 1);
    for (int k = 0; k < 9; k++) {
        Json *piece = find(whole, names[k]);
        if (!piece) continue;
        if (text_size > 1) put(",", 1);
        put("\"", 1);
        put(names[k], strlen(names[k]));
        put("\":", 2);
        put_json(piece);
    }
    put("}", 1);
    size_t n = text_size;
    char room[128] = {0};
    put(room, 128);
    sha256((unsigned char *)text_out, n, shown + 7);
    if (!is(part(whole, "digest"), shown)) refuse("the digest is not that of the statement");
}

/* ---- arithmetic */
static const State INF = (State)1 << 126, NAN_ = ((State)1 << 126) + 1;
enum { NEAREST, TRUNCATE };
enum { ZERO, EVEN, AWAY };
enum { AFTER, BEFORE, SATURATE };
enum { AX, PRODUCTS, VALUES };
enum { TO_NEARER, FLUSH, SUBNORMALS };
static int floating, underflow; /* floating: the digits t of floating point, 0 in fixed point */
static int bits, digits, free_point, rounding, ties, overflow, order, all_columns, entries_rounded, ln2_rounded;
static Value unit;
static State largest;

static void read_semantics(const Json *j) {
    RECORD_OF(j, "point", "rounding", "ties", "overflow", "underflow", "order", "columns", "entries", "ln2", "scale");
    free_point = !CHOICE(part(j, "point"), "free", "grid");
    rounding = CHOICE(part(j, "rounding"), "nearest", "truncate");
    ties = CHOICE(part(j, "ties"), "zero", "even", "away");
    overflow = CHOICE(part(j, "overflow"), "after", "before", "saturate");
    underflow = CHOICE(part(j, "underflow"), "nearest", "flush", "subnormals");
    order = CHOICE(part(j, "order"), "ax", "products", "values");
    all_columns = CHOICE(part(j, "columns"), "used", "all");
    entries_rounded = CHOICE(part(j, "entries"), "exact", "rounded");
    ln2_rounded = CHOICE(part(j, "ln2"), "ideal", "rounded");
    unit = number(part(j, "scale"));
    if (unit.negative || !unit.top.n || (free_point && compare(unit.top, unit.bottom))) refuse("not a scale");
}
static void set_bits(int p) {
    bits = p;
    digits = p - 1;
    if (free_point) unit = rational(0, nat(1), nat((Wide)1 << digits));
    largest = (((State)1 << digits) - 1) << (free_point ? digits : 0);
}
static void set_floats(int t, int e) {
    int q = (1 << (e - 1)) - 1;
    if (2 * q + t > 125) too_large("a format whose values have more than 125 bits");
    floating = t;
    digits = q + t - 1;
    unit = rational(0, nat(1), nat((Wide)1 << digits));
    largest = (((State)1 << t) - 1) << 2 * q;
}
static int length_of_wide(Wide x) { int n = 0; while (x) x >>= 1, n++; return n; }
static int exponent(Wide whole) { /* the spacing is 2 to this power */
    if (floating) {
        int n = length_of_wide(whole);
        return n >= floating ? n - floating : underflow == SUBNORMALS ? 0 : floating - 1;
    }
    if (!free_point) return 0;
    int i = length_of_wide(whole >> digits);
    return i < digits ? i : digits;
}
static State infinite(int negative) { State x = overflow == SATURATE ? largest : INF; return negative ? -x : x; }
static State rounded(int negative, Nat top, Nat bottom) { /* of top / bottom units */
    size_t before = mark;
    Nat rest, floor_ = divided(top, bottom, &rest);
    Wide whole, count, part_;
    if (!small(floor_, &whole)) { mark = before; return infinite(negative); }
    if (floating && underflow == FLUSH && whole < (Wide)1 << (floating - 1)) {
        /* the value of t digits next below 2^(t-1) lies half a unit below it */
        Wide normal = (Wide)1 << (floating - 1);
        int against = compare(up(top, 2), times(nat(4 * normal - 1), bottom));
        mark = before;
        State state = rounding == NEAREST && (against > 0 || (against == 0 && ties != ZERO)) ? (State)normal : 0;
        return negative ? -state : state;
    }
    int e = exponent(whole);
    count = whole >> e;
    part_ = whole & (((Wide)1 << e) - 1);
    /* the rest, part_ + rest / bottom, against half of 2^e */
    int against = compare(up(plus(times(nat(part_), bottom), rest), 1), up(bottom, e));
    int whole_rest = rest.n != 0;
    mark = before;
    if (rounding == NEAREST && (against > 0 || (against == 0 && (ties == AWAY || (ties == EVEN && (count & 1)))))) count++;
    State state = (State)(count << e);
    if (overflow == BEFORE ? (State)whole > largest || ((State)whole == largest && whole_rest) : state > largest) return infinite(negative);
    return negative ? -state : state;
}
static State state_of(Value x) {
    if (x.sort == NONE) return NAN_;
    if (x.sort != RATIONAL) return infinite(x.negative);
    size_t before = mark;
    State s = rounded(x.negative, times(x.top, unit.bottom), times(x.bottom, unit.top));
    mark = before;
    return s;
}
static Value value_of(State s) {
    if (s == NAN_) return word(NONE, 0);
    if (s == INF || s == -INF) return word(INFINITE, s < 0);
    return rational(s < 0, times(nat((Wide)(s < 0 ? -s : s)), unit.top), unit.bottom);
}
static int finite(State s) { return s > -INF && s < INF; }
static State add(State a, State b) {
    if (!finite(a) || !finite(b)) return a == NAN_ || b == NAN_ || a == -b ? NAN_ : infinite((finite(a) ? b : a) < 0);
    State s = a + b;
    Wide size = (Wide)(s < 0 ? -s : s);
    if ((State)size <= largest && !(size & (((Wide)1 << exponent(size)) - 1))) return s;
    size_t before = mark;
    s = rounded(s < 0, nat(size), nat(1));
    mark = before;
    return s;
}
static State multiply(Value x, Value y) {
    size_t before = mark;
    State s = state_of(exact_product(x, y));
    mark = before;
    return s;
}
static State divide(State a, State b) {
    if (a == NAN_ || b == NAN_ || (!finite(a) && !finite(b)) || (!a && !b)) return NAN_;
    if (!finite(a) || !b) return infinite((a < 0) != (b < 0));
    if (!finite(b)) return 0;
    size_t before = mark;
    State s = rounded((a < 0) != (b < 0), times(nat((Wide)(a < 0 ? -a : a)), unit.bottom), times(nat((Wide)(b < 0 ? -b : b)), unit.top));
    mark = before;
    return s;
}
static int holds(Value x) {
    size_t before = mark;
    Nat rest, units = divided(times(x.top, unit.bottom), times(x.bottom, unit.top), &rest);
    Wide size;
    int yes = !rest.n && small(units, &size) && (State)size <= largest && !(size & (((Wide)1 << exponent(size)) - 1));
    mark = before;
    return yes;
}

/* e^x and x ln 2: enclosed in units of 2^-b from both sides, with more bits until both ends round alike */
static Nat ln2_below(int b) { /* each term of the sum of 1 / (k 2^k) is cut by less than a unit; the tail is less than one */
    Nat sum = nat(0), rest;
    for (int k = 1; k <= b; k++) sum = plus(sum, divided(up(nat(1), b - k), nat((Wide)k), &rest));
    return sum;
}
static Nat ceiling(Nat a, Nat b) { Nat rest, q = divided(a, b, &rest); return rest.n ? plus(q, nat(1)) : q; }
static Nat power_of_e(Nat top, Nat bottom, int b, int above) { /* e^(top/bottom) in units, from below or above; x is halved below 1/16 */
    Nat rest, whole = divided(top, bottom, &rest), one = nat(1);
    int halvings = length_of(whole) + 4;
    Nat x = above ? ceiling(up(top, b), up(bottom, halvings)) : divided(up(top, b), up(bottom, halvings), &rest);
    Nat sum = up(one, b), term = sum;
    for (int k = 1; term.n && !(above && !compare(term, one)); k++) {
        term = divided(times(term, x), up(nat((Wide)k), b), &rest);
        if (above) term = plus(term, one);
        sum = plus(sum, term);
    }
    if (above) sum = plus(sum, nat(2));
    for (int k = 0; k < halvings; k++) {
        sum = down(times(sum, sum), b);
        if (above) sum = plus(sum, one);
    }
    return sum;
}
static State end_of_power(Value x, int b, int above) {
    Nat p = power_of_e(x.top, x.bottom, b, above != x.negative), one = up(nat(1), b);
    return state_of(x.negative ? rational(0, one, p) : rational(0, p, one));
}
static State real(Value x, int log, int power) { /* e^x, e^(x ln 2) or x ln 2, rounded */
    for (int b = 64; b <= 16384; b *= 2) {
        size_t before = mark;
        Value low = x, high = x;
        if (log) {
            Nat below = ln2_below(b), above = plus(below, nat((Wide)b + 1)), bottom = up(x.bottom, b);
            low = rational(x.negative, times(x.top, x.negative ? above : below), bottom);
            high = rational(x.negative, times(x.top, x.negative ? below : above), bottom);
        }
        State one = power ? end_of_power(low, b, 0) : state_of(low), two = power ? end_of_power(high, b, 1) : state_of(high);
        mark = before;
        if (one == two) return one;
    }
    too_large("a rounding stays undecided");
    return 0;
}
static State power(Value x, int log) { /* rounded e^x or e^(x ln 2) */
    Nat rest, whole = divided(x.top, x.bottom, &rest), most = divided(times(nat((Wide)largest + 2), unit.top), unit.bottom, &rest);
    /* beyond, 2^x is more than twice what does not overflow, or less than a quarter of a unit */
    int high = length_of(most) + 3 + digits, low = length_of(divided(unit.bottom, unit.top, &rest)) + 3;
    Wide size;
    int far = !small(whole, &size) || size > (Wide)(x.negative ? low : high);
    if (far && x.negative) return rounded(0, nat(1), nat(5));
    if (far) return infinite(0);
    if (!x.top.n) return state_of(rational(0, nat(1), nat(1)));
    divided(x.top, x.bottom, &rest);
    if (log && !rest.n) {
        Nat two = up(nat(1), (int)size);
        return state_of(x.negative ? rational(0, nat(1), two) : rational(0, two, nat(1)));
    }
    return real(x, log, 1);
}

/* ---- the construction */
typedef struct { int string, position; } Bit;
typedef struct { int count; Bit bit[16]; Value **vectors; State **adds; } Token; /* adds: by content, to each sum, and last to the denominator */
typedef struct { Value *weights, bias; } Node;

static int length, d, width, outputs, tokens, nodes, columns, sums, lacking, scores_in_ln2, linear, rectified = 1;
static int strings_count, string_length[24], string_first[24];
static char *string_name[24]; /* of a table of any function; else there are y and z */
static Value *query_matrix, *key_matrix, *value_matrix, *query; /* value_matrix: outputs entries for each coordinate */
static int *column;
static Token *token;
static Node *hidden, output;

static Value entry(Value x) {
    if (!lacking && !holds(x)) lacking = 1;
    return entries_rounded ? value_of(state_of(x)) : x;
}
static int is_large(const Json *j) { return is(j, "N") || is(j, "-N"); }
static int read_problem(const Json *j) {
    RECORD_OF(j, "function", "promise", "length");
    CHOICE(part(j, "function"), "EQ");
    CHOICE(part(j, "promise"), "y <= z");
    return (int)integer(part(j, "length"), 1, 3000);
}
static Value *read_matrix(const Json *j, int rows, int *across, int may_ln2) {
    RECORD_OF(j, "rows", "ln2");
    Kind kind = part(j, "ln2")->kind;
    if (kind != TRUE && kind != FALSE) refuse("ln2: true or false was expected");
    if (kind == TRUE && !may_ln2) refuse("only W^Q may have ln2");
    Json *given = list(part(j, "rows"), rows);
    if (!given->size || given->items[0]->kind != LIST || !given->items[0]->size) refuse("an empty matrix");
    if (!*across) *across = given->items[0]->size;
    Value *found = take((size_t)given->size * (size_t)*across, sizeof(Value));
    for (int r = 0; r < given->size; r++) {
        Json *row = list(given->items[r], *across);
        for (int c = 0; c < *across; c++) {
            Value x = number(row->items[c]), taken = entry(x);
            if (kind == TRUE && ln2_rounded) taken = x.top.n ? value_of(real(x, 1, 0)) : x;
            found[r * *across + c] = taken;
        }
    }
    if (may_ln2) { d = given->size; scores_in_ln2 = kind == TRUE && !ln2_rounded; }
    return found;
}
static Node read_node(const Json *j, int inputs) {
    RECORD_OF(j, "weights", "bias");
    Json *weights = list(part(j, "weights"), inputs);
    Node node = {take((size_t)inputs, sizeof(Value)), entry(number(part(j, "bias")))};
    for (int k = 0; k < inputs; k++) node.weights[k] = entry(number(weights->items[k]));
    return node;
}
static Bit read_bit(const Json *j) {
    char *text = plain(j), *bracket = text ? strchr(text, '[') : NULL;
    if (!bracket) refuse("a bit such as y[k] was expected");
    Bit bit = {-1, 0};
    size_t before = (size_t)(bracket - text);
    for (int k = 0; k < strings_count; k++)
        if (strlen(string_name[k]) == before && !memcmp(string_name[k], text, before)) bit.string = k;
    int n = run_of(bracket + 1);
    if (bit.string < 0 || n < 1 || n > 4 || bracket[1] == '0' || strcmp(bracket + 1 + n, "]")) refuse("a bit such as y[k] was expected");
    bit.position = atoi(bracket + 1);
    if (bit.position > string_length[bit.string]) refuse("a position beyond the length");
    return bit;
}
static void read_tokens(Json *j) {
    tokens = list(j, -1)->size;
    if (!tokens) refuse("no tokens");
    token = take((size_t)tokens, sizeof *token);
    Value before = word(NONE, 0);
    for (int k = 0; k < tokens; k++) {
        Json *given = j->items[k];
        RECORD_OF(given, "index", "step", "reads", "vectors");
        integral(part(given, "step"));
        Value index = integral(part(given, "index"));
        if (k && !same_value(index, exact_sum(before, rational(0, nat(1), nat(1))))) refuse("the indices are not consecutive");
        before = index;
        Json *reads = list(part(given, "reads"), -1);
        if ((token[k].count = reads->size) > 16) refuse("more than 16 reads");
        for (int i = 0; i < reads->size; i++) token[k].bit[i] = read_bit(reads->items[i]);
        int contents = 1 << reads->size;
        Json *vectors = list(part(given, "vectors"), contents);
        token[k].vectors = take((size_t)contents, sizeof(Value *));
        for (int c = 0; c < contents; c++) {
            Json *vector = list(vectors->items[c], d);
            token[k].vectors[c] = take((size_t)d, sizeof(Value));
            for (int i = 0; i < d; i++)
                token[k].vectors[c][i] = is_large(vector->items[i]) ? word(LARGE, is(vector->items[i], "-N")) : entry(number(vector->items[i]));
        }
    }
    if (token[tokens - 1].count) refuse("the last token reads");
}
static Value *project(const Value *vector, const Value *matrix) {
    Value *found = take((size_t)width, sizeof(Value));
    for (int c = 0; c < width; c++) {
        Value total = rational(0, nat(0), nat(1));
        for (int r = 0; r < d; r++) {
            Value x = exact_product(vector[r], matrix[r * width + c]);
            if (x.sort != LARGE) x = value_of(state_of(x));
            if (x.sort == LARGE || total.sort == LARGE) {
                if (x.sort != RATIONAL && total.sort != RATIONAL && !same_value(x, total)) refuse("N combines with nothing");
                if (x.sort == LARGE) total = x;
            } else total = value_of(add(state_of(total), state_of(x)));
        }
        found[c] = total;
    }
    return found;
}
static State weight_of(const Value *vector) {
    Value *key = project(vector, key_matrix), score;
    int large = 0;
    for (int c = 0; c < width; c++) large |= key[c].sort == LARGE || query[c].sort == LARGE;
    if (large) {
        if (width != 1 || (key[0].sort == LARGE && query[0].sort == LARGE)) refuse("N meets other terms");
        score = exact_product(query[0], key[0]);
    } else {
        State total = 0;
        for (int c = 0; c < width; c++) total = add(total, multiply(query[c], key[c]));
        score = value_of(total);
    }
    if (score.sort == NONE) return NAN_;
    if (linear) return score.sort == RATIONAL && scores_in_ln2 && score.top.n ? real(score, 1, 0) : state_of(score);
    if (score.sort != RATIONAL) return score.negative ? 0 : infinite(0);
    return power(score, scores_in_ln2);
}
static int uses(int c, int output_) { return all_columns || sign_of(value_matrix[c * outputs + output_]); }
static State *terms(const Value *vector) {
    State *found = take((size_t)sums + 1, sizeof(State)), weight = weight_of(vector);
    Value a = value_of(weight);
    found[sums] = weight;
    if (order == AX) {
        for (int i = 0; i < columns; i++) found[i] = multiply(a, vector[column[i]]);
        return found;
    }
    for (int k = 0; k < outputs; k++) {
        State total = 0;
        for (int c = 0; c < d; c++) {
            if (!uses(c, k)) continue;
            Value u = value_matrix[c * outputs + k];
            total = add(total, order == PRODUCTS ? multiply(value_of(multiply(a, vector[c])), u) : multiply(u, vector[c]));
        }
        found[k] = order == PRODUCTS ? total : multiply(a, value_of(total));
    }
    return found;
}
static void read_weights(const Json *j) { /* what both forms of a construction have: W^Q, W^K, W^V, tokens and MLP */
    if (part(j, "id")->kind != TEXT) refuse("id: a text was expected");
    query_matrix = read_matrix(part(j, "query"), -1, &width, 1);
    key_matrix = read_matrix(part(j, "key"), d, &width, 0);
    value_matrix = read_matrix(part(j, "value"), d, &outputs, 0);
    column = take((size_t)d, sizeof *column);
    for (int c = 0; c < d; c++) {
        int used = 0;
        for (int k = 0; k < outputs; k++) used |= uses(c, k);
        if (used) column[columns++] = c;
    }
    sums = order == AX ? columns : outputs;
    read_tokens(part(j, "tokens"));
    query = project(token[tokens - 1].vectors[0], query_matrix);
    for (int k = 0; k < tokens; k++) {
        token[k].adds = take((size_t)1 << token[k].count, sizeof(State *));
        for (int c = 0; c < 1 << token[k].count; c++) token[k].adds[c] = terms(token[k].vectors[c]);
    }
    Json *mlp = part(j, "mlp");
    RECORD_OF(mlp, "hidden", "output");
    nodes = list(part(mlp, "hidden"), -1)->size;
    hidden = take((size_t)nodes, sizeof *hidden);
    for (int k = 0; k < nodes; k++) hidden[k] = read_node(part(mlp, "hidden")->items[k], outputs);
    output = read_node(part(mlp, "output"), nodes);
}
static void read_construction(const Json *j) {
    RECORD_OF(j, "id", "bits", "problem", "tokens", "query", "key", "value", "mlp");
    set_bits((int)integer(part(j, "bits"), 1, 64));
    length = read_problem(part(j, "problem"));
    static char y[] = "y", z[] = "z";
    strings_count = 2;
    string_name[0] = y;
    string_name[1] = z;
    string_length[0] = string_length[1] = length;
    outputs = 1;
    read_weights(j);
}
static State node_value(const Node *node, const State *inputs, int count) {
    State total = 0;
    for (int k = 0; k < count; k++) total = add(total, multiply(node->weights[k], value_of(inputs[k])));
    if (node->bias.sort != RATIONAL) total = add(total, state_of(node->bias));
    else if (finite(total)) total = state_of(exact_sum(value_of(total), node->bias));
    return total < 0 && (rectified || node != &output) ? 0 : total; /* NaN is above all */
}
static State mlp_output(const State *attention, State *inner) {
    for (int k = 0; k < nodes; k++) inner[k] = node_value(&hidden[k], attention, outputs);
    return node_value(&output, inner, nodes);
}
static int answer_of(State out) { /* 2 is neither */
    if (!out || out == NAN_) return 0;
    return same_value(value_of(out), rational(0, nat(1), nat(1))) ? 1 : 2;
}
static State numerator(const State *ends, int k) {
    if (order != AX) return ends[k];
    State total = 0;
    for (int i = 0; i < columns; i++)
        if (uses(column[i], k)) total = add(total, multiply(value_of(ends[i]), value_matrix[column[i] * outputs + k]));
    return total;
}

/* ---- refuted */
static void value_is(const Json *j, State found) {
    if (!same_value(value(j), value_of(found))) refuse("the trace has another value");
}
static void text_of_bits(const Json *j, char *found) {
    char *text = plain(j);
    if (!text || (int)strlen(text) != length || (int)strspn(text, "01") != length) refuse("a string of bits was expected");
    memcpy(found, text, (size_t)length + 1);
}
static void check_refuted(const Json *whole) {
    static char strings[2][3001];
    Json *input = part(whole, "input"), *trace = part(whole, "trace");
    RECORD_OF(input, "y", "z");
    text_of_bits(part(input, "y"), strings[0]);
    text_of_bits(part(input, "z"), strings[1]);
    if (strcmp(strings[0], strings[1]) > 0) refuse("the input breaks the promise");
    RECORD_OF(trace, "steps", "numerator", "denominator", "attention", "hidden", "output", "answer");
    Json *steps_ = list(part(trace, "steps"), tokens);
    State *now = take((size_t)sums + 1, sizeof(State));
    for (int k = 0; k < tokens; k++) {
        Json *step = steps_->items[k];
        RECORD_OF(step, "content", "weight", "products", "sums", "denominator");
        char text[17] = {0};
        int content = 0;
        for (int i = 0; i < token[k].count; i++) {
            Bit bit = token[k].bit[i];
            text[i] = strings[bit.string][bit.position - 1];
            content = 2 * content + (text[i] == '1');
        }
        if (!is(part(step, "content"), text)) refuse("the trace has another content");
        State *adds = token[k].adds[content];
        value_is(part(step, "weight"), adds[sums]);
        list(part(step, "products"), sums);
        list(part(step, "sums"), sums);
        for (int i = 0; i <= sums; i++) now[i] = add(now[i], adds[i]);
        for (int i = 0; i < sums; i++) {
            value_is(part(step, "products")->items[i], adds[i]);
            value_is(part(step, "sums")->items[i], now[i]);
        }
        value_is(part(step, "denominator"), now[sums]);
    }
    State top = numerator(now, 0), attention = divide(top, now[sums]), *inner = take((size_t)nodes, sizeof(State));
    State out = mlp_output(&attention, inner);
    value_is(part(trace, "numerator"), top);
    value_is(part(trace, "denominator"), now[sums]);
    value_is(part(trace, "attention"), attention);
    list(part(trace, "hidden"), nodes);
    for (int k = 0; k < nodes; k++) value_is(part(trace, "hidden")->items[k], inner[k]);
    value_is(part(trace, "output"), out);
    static const char *const answers[] = {"0", "1", "neither"};
    int answer = answer_of(out);
    if (!is(part(trace, "answer"), answers[answer])) refuse("the trace has another answer");
    if (answer == !strcmp(strings[0], strings[1])) refuse("the answer is right");
}

/* ---- verified: sets of rows */
typedef struct { int across; long size, room; State *data; } Rows; /* a row: the sums, then y as one number */
static int row_width;
static int by_row(const void *p, const void *q) {
    const State *a = p, *b = q;
    for (int k = 0; k < row_width; k++) if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}
static void sort(Rows *rows) {
    long kept = 0;
    row_width = rows->across;
    size_t bytes = (size_t)rows->across * sizeof(State);
    qsort(rows->data, (size_t)rows->size, bytes, by_row);
    for (long k = 0; k < rows->size; k++)
        if (!kept || by_row(rows->data + (kept - 1) * rows->across, rows->data + k * rows->across))
            memmove(rows->data + kept++ * rows->across, rows->data + k * rows->across, bytes);
    rows->size = kept;
    spend(kept);
}
static State *new_row(Rows *rows) {
    if (rows->size == rows->room) {
        if (rows->size) sort(rows);
        if (2 * rows->size >= rows->room) {
            rows->room = rows->room ? 2 * rows->room : 64;
            if ((size_t)rows->room * (size_t)rows->across > (size_t)1 << 27) too_large("too many states");
            rows->data = realloc(rows->data, (size_t)rows->room * (size_t)rows->across * sizeof(State));
            if (!rows->data) too_large("out of memory");
        }
    }
    spend(rows->across);
    return rows->data + rows->size++ * rows->across;
}
typedef struct { int token, sum, matters; long of_y, of_z; } Addend; /* matters: by read; of_y, of_z: masks, the block's last position lowest */
typedef struct {
    int first, last, count, *sum, with_every;
    long late;
    Rows equal, less, every;
    Addend **addend;
    int *addends, *taken;
} Block;

static int repeated(const Token *t, int i) { /* the first read of the same bit */
    for (int k = 0; k < i; k++) if (t->bit[k].string == t->bit[i].string && t->bit[k].position == t->bit[i].position) return k;
    return i;
}
static int possible(const Token *t, int content) {
    for (int i = 0; i < t->count; i++) if ((content >> (t->count - 1 - i) & 1) != (content >> (t->count - 1 - repeated(t, i)) & 1)) return 0;
    return 1;
}
static void find_addends(Block *b, int place) {
    int k = b->sum[place];
    b->addend[place] = take((size_t)tokens, sizeof(Addend));
    for (int n = 0; n < tokens; n++) {
        Token *t = &token[n];
        Addend found = {n, k, 0, 0, 0};
        int any = 0;
        for (int c = 0; c < 1 << t->count; c++) {
            if (!possible(t, c)) continue;
            any |= t->adds[c][k] != 0;
            for (int i = 0; i < t->count; i++) {
                int other = c;
                if (repeated(t, i) != i) continue;
                for (int r = 0; r < t->count; r++) if (repeated(t, r) == i) other ^= 1 << (t->count - 1 - r);
                if (t->adds[c][k] != t->adds[other][k]) found.matters |= 1 << i;
            }
        }
        for (int i = 0; i < t->count; i++) {
            int by = repeated(t, i), p = t->bit[i].position;
            if (!(found.matters >> by & 1)) continue;
            found.matters |= 1 << i;
            if (p < b->first || p > b->last) refuse("a sum depends on a bit outside its block");
            *(t->bit[i].string ? &found.of_z : &found.of_y) |= 1L << (b->last - p);
        }
        if (any) b->addend[place][b->addends[place]++] = found;
    }
}
static State added(const Block *b, const Addend *a, State before, long y, long z) {
    Token *t = &token[a->token];
    int content = 0;
    for (int i = 0; i < t->count; i++)
        content = 2 * content + (a->matters >> i & 1 ? (int)((t->bit[i].string ? z : y) >> (b->last - t->bit[i].position) & 1) : 0);
    return add(before, t->adds[content][a->sum]);
}
static int upto(const Block *b, int place, long behind) { /* where the addends of this sum end that read no z behind */
    int k = b->taken[place];
    while (k < b->addends[place] && !(b->addend[place][k].of_z & behind)) k++;
    return k;
}
static void step(const Block *b, const int *ends, const State *row, long z, State *into) {
    for (int p = 0; p < b->count; p++) {
        State x = row[p];
        for (int k = b->taken[p]; k < ends[p]; k++) x = added(b, &b->addend[p][k], x, (long)row[b->count], z);
        spend(1 + ends[p] - b->taken[p]);
        into[p] = x;
    }
    into[b->count] = row[b->count];
}
static void compare_runs(Json *runs, Rows *reached, const Block *b) {
    Rows listed = {b->count + 1, 0, 0, NULL};
    int late = __builtin_popcountl((unsigned long)b->late), across = b->count + late;
    long total = 0;
    State *start = take((size_t)b->count + 1, sizeof(State)), *by = take((size_t)b->count + 1, sizeof(State));
    sort(reached);
    list(runs, -1);
    for (int k = 0; k < runs->size; k++) {
        Json *run = list(runs->items[k], 3), *starts = list(run->items[0], across), *steps_ = list(run->items[1], across);
        Value many = integral(run->items[2]);
        Wide count;
        if (many.negative || !many.top.n) refuse("a run counts from 1");
        if (!small(many.top, &count) || count > (Wide)reached->size - (Wide)total) refuse("a run of more states than are left");
        total += (long)count;
        for (int i = 0; i < b->count; i++) {
            int special = is(starts->items[i], "inf") ? 1 : is(starts->items[i], "-inf") ? 2 : is(starts->items[i], "nan") ? 3 : 0;
            start[i] = special == 1 ? INF : special == 2 ? -INF : special ? NAN_ : integer(starts->items[i], -largest, largest);
            by[i] = special ? integer(steps_->items[i], 0, 0) : integer(steps_->items[i], -2 * largest, 2 * largest);
        }
        start[b->count] = by[b->count] = 0;
        for (int place = b->last - b->first, i = b->count; place >= 0; place--) if (b->late >> place & 1) {
            start[b->count] |= integer(starts->items[i], 0, 1) << place;
            integer(steps_->items[i++], 0, 0);
        }
        for (long n = 0; n < (long)count; n++) {
            memcpy(new_row(&listed), start, (size_t)(b->count + 1) * sizeof(State));
            for (int i = 0; i < b->count && n + 1 < (long)count; i++) {
                if (!by[i]) continue;
                start[i] += by[i];
                if (start[i] > largest || start[i] < -largest) refuse("a run leaves the format");
            }
        }
    }
    sort(&listed);
    if (total != reached->size || listed.size != total) refuse("the states listed are not those reached");
    if (total && memcmp(listed.data, reached->data, (size_t)total * (size_t)listed.across * sizeof(State))) refuse("a state is listed that is not reached");
    free(listed.data);
}
static void read_block(Block *b, const Json *j, int with_every) {
    RECORD_OF(j, "first", "last", "sums", "stages");
    b->first = (int)integer(part(j, "first"), 1, length);
    b->last = (int)integer(part(j, "last"), b->first, length);
    b->with_every = with_every;
    Json *names = list(part(j, "sums"), -1);
    b->count = names->size;
    b->sum = take((size_t)b->count, sizeof(int));
    for (int k = 0; k < b->count; k++) {
        char *text = plain(names->items[k]);
        if (!text) refuse("the name of a sum was expected");
        if (!strcmp(text, "denominator")) b->sum[k] = sums;
        else {
            int n = strncmp(text, "sum ", 4) ? 0 : run_of(text + 4);
            if (n < 1 || n > 8 || text[4 + n] || text[4] == '0') refuse("the name of a sum was expected");
            b->sum[k] = atoi(text + 4) - 1;
            if (b->sum[k] >= sums) refuse("there is no such sum");
        }
    }
}
static void walk(Block *b, const Json *j) {
    int w = b->last - b->first + 1, reached = b->first - 1;
    if (w > 20) too_large("a block of more than 20 positions");
    long every = 1L << w;
    Json *stages = list(part(j, "stages"), -1);
    b->addend = take((size_t)b->count, sizeof *b->addend);
    b->addends = take((size_t)b->count, sizeof(int));
    b->taken = take((size_t)b->count, sizeof(int));
    int *ends = take((size_t)b->count, sizeof(int));
    for (int p = 0; p < b->count; p++) {
        find_addends(b, p);
        ends[p] = upto(b, p, every - 1);
        for (int k = ends[p]; k < b->addends[p]; k++) b->late |= b->addend[p][k].of_y;
    }
    Rows *sets[] = {&b->equal, &b->less, &b->every};
    for (int k = 0; k < 3; k++) sets[k]->across = b->count + 1;
    State *row = take((size_t)b->count + 1, sizeof(State));
    for (long y = 0; y < every; y++) {
        memset(row, 0, (size_t)(b->count + 1) * sizeof(State));
        row[b->count] = y;
        State *made = new_row(&b->equal);
        step(b, ends, row, 0, made);
        if (b->with_every) { State *also = new_row(&b->every); memcpy(also, made, (size_t)(b->count + 1) * sizeof(State)); also[b->count] &= b->late; }
    }
    memcpy(b->taken, ends, (size_t)b->count * sizeof(int));
    for (int s = 0; s < stages->size; s++) {
        Json *stage = stages->items[s];
        if (b->with_every) RECORD_OF(stage, "first", "last", "less", "every");
        else RECORD_OF(stage, "first", "last", "less");
        int first = (int)integer(part(stage, "first"), 0, 3000), last = (int)integer(part(stage, "last"), 0, 3000);
        if (first != reached + 1 || last < first || last > b->last || last > first + 8) refuse("the stages are not in order");
        reached = last;
        int behind = b->last - last, contents = 1 << (last - first + 1);
        for (int p = 0; p < b->count; p++) {
            ends[p] = upto(b, p, (1L << behind) - 1);
            for (int k = b->taken[p]; k < ends[p]; k++) if (b->addend[p][k].of_z >> (b->last - first + 1)) refuse("z is read after its stage");
        }
        Rows less = {b->count + 1, 0, 0, NULL}, all = less, equal = less;
        for (long z = 0; z < contents; z++) {
            for (long k = 0; k < b->less.size; k++) step(b, ends, b->less.data + k * b->less.across, z << behind, new_row(&less));
            for (long k = 0; k < b->every.size; k++) step(b, ends, b->every.data + k * b->every.across, z << behind, new_row(&all));
        }
        for (long k = 0; k < b->equal.size; k++) {
            State *old = b->equal.data + k * b->equal.across;
            long own = (long)old[b->count] >> behind & (contents - 1);
            step(b, ends, old, own << behind, new_row(&equal));
            for (long z = own + 1; z < contents; z++) {
                State *made = new_row(&less);
                step(b, ends, old, z << behind, made);
                made[b->count] &= b->late;
            }
        }
        for (long k = 0; k < equal.size; k++) equal.data[k * equal.across + b->count] &= b->late | ((1L << behind) - 1);
        sort(&equal);
        sort(&less);
        sort(&all);
        free(b->equal.data);
        free(b->less.data);
        free(b->every.data);
        b->equal = equal;
        b->less = less;
        b->every = all;
        memcpy(b->taken, ends, (size_t)b->count * sizeof(int));
        compare_runs(part(stage, "less"), &b->less, b);
        if (b->with_every) compare_runs(part(stage, "every"), &b->every, b);
    }
    if (reached != b->last) refuse("the stages leave out positions");
    for (int p = 0; p < b->count; p++) if (b->taken[p] != b->addends[p]) refuse("the stages leave out tokens");
}
static void answers_are(int wanted, Block *const *blocks, Rows *const *sets, int count) {
    Rows pairs = {2, 0, 0, NULL}, quotients = {1, 0, 0, NULL};
    State *ends = take((size_t)sums + 1, sizeof(State)), *inner = take((size_t)nodes, sizeof(State));
    long second = count > 1 ? sets[1]->size : 1;
    for (long i = 0; i < sets[0]->size; i++) for (long k = 0; k < second; k++) {
        for (int n = 0; n < count; n++) for (int p = 0; p < blocks[n]->count; p++)
            ends[blocks[n]->sum[p]] = sets[n]->data[(n ? k : i) * sets[n]->across + p];
        spend(20 * columns);
        State top = numerator(ends, 0), *row = new_row(&pairs);
        row[0] = top;
        row[1] = ends[sums];
    }
    sort(&pairs);
    for (long k = 0; k < pairs.size; k++) *new_row(&quotients) = divide(pairs.data[2 * k], pairs.data[2 * k + 1]);
    sort(&quotients);
    for (long k = 0; k < quotients.size; k++) {
        size_t before = mark;
        spend(50 * (nodes + 1));
        if (answer_of(mlp_output(&quotients.data[k], inner)) != wanted) refuse("a row is not answered with %d", wanted);
        mark = before;
    }
    free(pairs.data);
    free(quotients.data);
}
static void check_verified(const Json *whole) {
    Nat all = up(nat(1), length);
    integer_is(part(whole, "cases"), down(times(all, plus(all, nat(1))), 1));
    Json *assumed = list(part(whole, "assumptions"), lacking && !entries_rounded);
    if (assumed->size && !is(assumed->items[0], "exact-entries")) refuse("another assumption");
    Json *given = list(part(whole, "blocks"), -1);
    int count = given->size;
    if (count != 1 && count != 2) refuse("one block or two were expected");
    static Block b[2];
    int *seen = take((size_t)sums + 1, sizeof(int));
    for (int n = 0; n < count; n++) {
        read_block(&b[n], given->items[n], n == 1);
        for (int k = 0; k < b[n].count; k++) if (seen[b[n].sum[k]]++) refuse("a sum is there twice");
    }
    for (int k = 0; k <= sums; k++) if (!seen[k]) refuse("a sum is missing");
    if (b[0].first != 1 || b[count - 1].last != length || (count == 2 && b[1].first != b[0].last + 1)) refuse("the blocks leave out positions");
    for (int n = 0; n < count; n++) walk(&b[n], given->items[n]);
    Block *both[] = {&b[0], &b[1]};
    if (count == 1) {
        answers_are(1, both, (Rows *[]){&b[0].equal}, 1);
        answers_are(0, both, (Rows *[]){&b[0].less}, 1);
        return;
    }
    answers_are(1, both, (Rows *[]){&b[0].equal, &b[1].equal}, 2);
    answers_are(0, both, (Rows *[]){&b[0].less, &b[1].every}, 2);
    answers_are(0, both, (Rows *[]){&b[0].equal, &b[1].less}, 2);
}

/* ---- a fooling set */
static void check_fooling(const Json *whole) {
    CHOICE(part(whole, "rule"), "diagonal");
    Nat size = up(nat(1), length);
    integer_is(part(whole, "size"), size);
    integer_is(part(whole, "pairs"), down(times(size, minus(size, nat(1))), 1));
    integer_is(part(whole, "bits"), nat((Wide)length));
}

/* ---- one running sum */
enum { PRODUCT, ANY, INDEPENDENT };
typedef uint64_t Word;
typedef struct { int u, v; } Edge;
static int coupling, weights, numerators, states, maps, words;
static State *weight_at, *numerator_at;
static int **map_of_move, **map; /* map_of_move: by numerator and weight, NULL where there is no such move; map: the different ones */

static int by_state(const void *p, const void *q) { State a = *(const State *)p, b = *(const State *)q; return (a > b) - (a < b); }
static int place_of(const State *in, int count, State x) {
    const State *at = bsearch(&x, in, (size_t)count, sizeof x, by_state);
    return at ? (int)(at - in) : -1;
}
static int by_map(const void *p, const void *q) { return memcmp(*(int *const *)p, *(int *const *)q, (size_t)states * sizeof(int)); }

static void read_sums(const Json *j) {
    RECORD_OF(j, "bits", "coupling");
    set_bits((int)integer(part(j, "bits"), 1, 6));
    coupling = CHOICE(part(j, "coupling"), "product", "any", "independent");
    int most = 2 * (int)largest + 3;
    weight_at = take((size_t)most, sizeof(State));
    numerator_at = take((size_t)most, sizeof(State));
    weight_at[weights++] = 0;
    for (State x = 1; x <= largest; x++) if (!(x & (((State)1 << exponent((Wide)x)) - 1))) weight_at[weights++] = x;
    if (overflow != SATURATE) weight_at[weights++] = INF;
    for (int k = weights; k-- > 1;) numerator_at[numerators++] = -weight_at[k];
    for (int k = 0; k < weights; k++) numerator_at[numerators++] = weight_at[k];
    int *above = take((size_t)numerators * (size_t)numerators, sizeof(int)), *below = take((size_t)weights * (size_t)weights, sizeof(int));
    for (int a = 0; a < numerators; a++) for (int x = 0; x < numerators; x++)
        above[a * numerators + x] = place_of(numerator_at, numerators, add(numerator_at[a], numerator_at[x]));
    for (int a = 0; a < weights; a++) for (int w = 0; w < weights; w++)
        below[a * weights + w] = place_of(weight_at, weights, add(weight_at[a], weight_at[w]));
    int pairs = numerators * weights, zero = place_of(numerator_at, numerators, 0), moves = 0;
    Edge *move = take((size_t)pairs, sizeof(Edge)); /* u: numerator, v: weight */
    for (int w = 0; w < weights; w++) {
        char *made = take((size_t)numerators, 1);
        for (int x = 0; x < numerators; x++) {
            if (coupling == INDEPENDENT || (coupling == ANY && (w || x == zero))) made[x] = 1;
            if (coupling == PRODUCT && finite(numerator_at[x])) {
                State p = multiply(value_of(weight_at[w]), value_of(numerator_at[x]));
                if (p != NAN_) made[place_of(numerator_at, numerators, p)] = 1;
            }
        }
        for (int x = 0; x < numerators; x++) if (made[x]) move[moves++] = (Edge){x, w};
    }
    /* forwards from (0, 0), then backwards from the quotients that are no NaN */
    char *seen = take((size_t)pairs, 1), *good = take((size_t)pairs, 1);
    int *waiting = take((size_t)pairs, sizeof(int)), left = 0, grown = 1;
#define AFTER(s, m) (above[(s) / weights * numerators + (m).u] < 0 || below[(s) % weights * weights + (m).v] < 0 ? -1 : \
                     above[(s) / weights * numerators + (m).u] * weights + below[(s) % weights * weights + (m).v])
    seen[zero * weights] = 1;
    waiting[left++] = zero * weights;
    while (left) {
        int s = waiting[--left];
        spend(moves);
        for (int k = 0; k < moves; k++) { int t = AFTER(s, move[k]); if (t >= 0 && !seen[t]) { seen[t] = 1; waiting[left++] = t; } }
    }
    for (int s = 0; s < pairs; s++) good[s] = seen[s] && divide(numerator_at[s / weights], weight_at[s % weights]) != NAN_;
    while (grown) {
        grown = 0;
        for (int s = 0; s < pairs; s++) if (seen[s] && !good[s]) for (int k = 0; k < moves && !good[s]; k++) {
            int t = AFTER(s, move[k]);
            if (t >= 0 && good[t]) good[s] = (char)(grown = 1);
        }
    }
    int *name = take((size_t)pairs, sizeof(int));
    for (int s = 0; s < pairs; s++) name[s] = good[s] ? states++ : -1;
    words = (states + 63) / 64;
    if ((long long)moves * states > 1LL << 26) too_large("more than 2^26 images");
    spend((long long)moves * states);
    map = take((size_t)moves, sizeof *map);
    map_of_move = take((size_t)pairs, sizeof *map_of_move);
    for (int k = 0; k < moves; k++) {
        map[k] = take((size_t)states, sizeof(int));
        for (int s = 0; s < pairs; s++) if (good[s]) { int t = AFTER(s, move[k]); map[k][name[s]] = t < 0 ? -1 : name[t]; }
        map_of_move[move[k].u * weights + move[k].v] = map[k];
    }
    qsort(map, (size_t)moves, sizeof *map, by_map);
    for (int k = 0; k < moves; k++) if (!maps || by_map(&map[maps - 1], &map[k])) map[maps++] = map[k];
}

typedef struct { int f, g, used; const Json *given; } Entry;
static int read_map(const Json *j) {
    Json *given = list((Json *)j, 2);
    int x = place_of(numerator_at, numerators, state_of(value(given->items[0]))), w = place_of(weight_at, weights, state_of(value(given->items[1])));
    int *found = x < 0 || w < 0 ? NULL : map_of_move[x * weights + w];
    if (!found) refuse("a product and a weight that a token can add were expected");
    int **at = bsearch(&found, map, (size_t)maps, sizeof *map, by_map);
    return (int)(at - map);
}
static Entry read_entry(const Json *j, const char *one, const char *two) {
    if (two) RECORD_OF(j, "maps", one, two);
    else RECORD_OF(j, "maps", one);
    Json *both = list(part(j, "maps"), 2);
    int f = read_map(both->items[0]), g = read_map(both->items[1]);
    Entry entry_ = {f < g ? f : g, f < g ? g : f, 0, j};
    if (f == g) refuse("the maps of an entry are the same");
    return entry_;
}
static int by_maps(const void *p, const void *q) {
    const Entry *a = p, *b = q;
    return a->f != b->f ? (a->f < b->f ? -1 : 1) : (a->g > b->g) - (a->g < b->g);
}
static Entry *entries(const Json *given, const char *one, const char *two) {
    int n = list((Json *)given, -1)->size;
    Entry *found = take((size_t)n + 1, sizeof(Entry));
    for (int k = 0; k < n; k++) found[k] = read_entry(given->items[k], one, two);
    qsort(found, (size_t)n, sizeof(Entry), by_maps);
    for (int k = 1; k < n; k++) if (!by_maps(&found[k - 1], &found[k])) refuse("the maps of two entries are the same");
    return found;
}
static Entry *entry_of(Entry *in, int n, int f, int g) {
    Entry key = {f, g, 0, NULL};
    return bsearch(&key, in, (size_t)n, sizeof(Entry), by_maps);
}
static int ones(const Word *set) { int n = 0; for (int k = 0; k < words; k++) n += __builtin_popcountll(set[k]); return n; }
static void join(Word *set, int x) { set[x / 64] |= (Word)1 << x % 64; }
static int within(const Word *set, int x) { return (int)(set[x / 64] >> x % 64 & 1); }

static int root(int *leader, int x) { while (leader[x] != x) x = leader[x] = leader[leader[x]]; return x; }
static int bound_by(const Edge *edge, int n, const Word *barrier) {
    size_t before = mark;
    int *leader = take((size_t)states, sizeof(int)), *size = take((size_t)states, sizeof(int)), bound = ones(barrier);
    spend(4LL * n + 2 * states);
    for (int x = 0; x < states; x++) leader[x] = x;
    for (int k = 0; k < n; k++) if (!within(barrier, edge[k].u) && !within(barrier, edge[k].v)) leader[root(leader, edge[k].u)] = root(leader, edge[k].v);
    for (int x = 0; x < states; x++) size[root(leader, x)]++;
    for (int x = 0; x < states; x++) if (!within(barrier, x)) bound += size[x] / 2;
    mark = before;
    return bound;
}
static int by_edge(const void *p, const void *q) {
    const Edge *a = p, *b = q;
    return a->u != b->u ? (a->u < b->u ? -1 : 1) : (a->v > b->v) - (a->v < b->v);
}
static int leaf_bound(const Edge *edge, int n) { /* by the leaf barrier */
    size_t before = mark;
    Edge *both = take(2 * (size_t)n + 1, sizeof(Edge));
    int count = 0, *start = take((size_t)states + 1, sizeof(int)), *degree = take((size_t)states, sizeof(int)), leaves = 0;
    Word *barrier = take((size_t)words, sizeof(Word));
    spend(40LL * n + states);
    for (int k = 0; k < n; k++) {
        both[2 * k] = edge[k];
        both[2 * k + 1] = (Edge){edge[k].v, edge[k].u};
    }
    qsort(both, 2 * (size_t)n, sizeof(Edge), by_edge);
    for (int k = 0; k < 2 * n; k++) if (!count || by_edge(&both[count - 1], &both[k])) both[count++] = both[k];
    for (int k = 0; k < count; k++) { degree[both[k].u]++; start[both[k].u + 1] = k + 1; }
    for (int x = 0; x < states; x++) if (!degree[x]) start[x + 1] = start[x];
    int *leaf = take((size_t)count + (size_t)states + 1, sizeof(int));
    for (int x = 0; x < states; x++) if (degree[x] == 1) leaf[leaves++] = x;
    while (leaves) {
        int x = leaf[--leaves], centre = -1;
        if (within(barrier, x) || degree[x] != 1) continue;
        for (int k = start[x]; k < start[x + 1]; k++) if (!within(barrier, both[k].v)) centre = both[k].v;
        join(barrier, centre);
        for (int k = start[centre]; k < start[centre + 1]; k++) {
            int y = both[k].v;
            if (within(barrier, y)) continue;
            if (--degree[y] == 1) leaf[leaves++] = y;
        }
    }
    int found = bound_by(edge, n, barrier);
    mark = before;
    return found;
}

static const Word *sorted_sets;
static int by_set(const void *p, const void *q) {
    int a = *(const int *)p, b = *(const int *)q, c = memcmp(sorted_sets + (long)a * words, sorted_sets + (long)b * words, (size_t)words * sizeof(Word));
    return c ? c : (a > b) - (a < b);
}
static void check_before(const Json *given, int **code, int known) {
    if (known >= length - 1) refuse("only the first bit is left");
    int needed = 1 << (length - known - 1), each = 1 << known;
    Json *inner = part(given, "longer"), *covers = list(part(given, "covers"), -1);
    Entry *longer = entries(inner, "covers", "longer");
    int *least = take((size_t)covers->size, sizeof(int));
    unsigned char **weight = take((size_t)covers->size, sizeof *weight);
    for (int k = 0; k < covers->size; k++) {
        Json *cover = covers->items[k];
        RECORD_OF(cover, "least", "weights");
        least[k] = (int)integer(part(cover, "least"), 1, 35);
        char *text = plain(part(cover, "weights"));
        if (!text || (int)strlen(text) != states) refuse("a digit or letter for each state was expected");
        weight[k] = (unsigned char *)text;
        long total = 0;
        for (int x = 0; x < states; x++) {
            char c = text[x];
            if ((c < '0' || c > '9') && (c < 'a' || c > 'z')) refuse("a digit or letter for each state was expected");
            total += weight[k][x] = (unsigned char)(c <= '9' ? c - '0' : c - 'a' + 10);
        }
        if (total >= (long)least[k] * needed) refuse("a cover is too heavy");
    }
    Word *set = take((size_t)states * (size_t)words, sizeof(Word)), *coded = take((size_t)maps * (size_t)words, sizeof(Word));
    Word *joined = take((size_t)states * (size_t)words, sizeof(Word)), *all = take((size_t)words, sizeof(Word));
    spend((long long)states * each + (long long)maps * states);
    for (int s = 0; s < states; s++) for (int i = 0; code[s] && i < each; i++) join(set + (long)s * words, code[s][i]);
    for (int m = 0; m < maps; m++) for (int s = 0; s < states; s++) if (map[m][s] >= 0 && code[map[m][s]]) join(coded + (long)m * words, s);
    int *kept = take((size_t)states, sizeof(int));
    Edge *edge = take((size_t)states, sizeof(Edge)), *halves = take((size_t)states * (size_t)each, sizeof(Edge));
    for (int f = 0; f < maps; f++) for (int g = f + 1; g < maps; g++) {
        int n = 0, whole = 0, common = 0;
        spend(words + 1);
        for (int k = 0; k < words; k++) common += __builtin_popcountll(coded[(long)f * words + k] & coded[(long)g * words + k]);
        if (common < needed) continue;
        spend((long long)states * (words + 20));
        for (int s = 0; s < states; s++) {
            int u = map[f][s], v = map[g][s], apart = u >= 0 && v >= 0 && code[u] && code[v];
            for (int k = 0; k < words && apart; k++) apart = !(set[(long)u * words + k] & set[(long)v * words + k]);
            if (!apart) continue;
            for (int k = 0; k < words; k++) joined[(long)s * words + k] = set[(long)u * words + k] | set[(long)v * words + k];
            kept[n++] = s;
        }
        sorted_sets = joined;
        qsort(kept, (size_t)n, sizeof(int), by_set);
        for (int k = 0; k < n; k++)
            if (k + 1 == n || memcmp(joined + (long)kept[k] * words, joined + (long)kept[k + 1] * words, (size_t)words * sizeof(Word))) kept[whole++] = kept[k];
        memset(all, 0, (size_t)words * sizeof(Word));
        for (int i = 0; i < whole; i++) for (int k = 0; k < words; k++) all[k] |= joined[(long)kept[i] * words + k];
        if (whole < needed || ones(all) < 1 << length) continue;
        Entry *earlier = entry_of(longer, inner->size, f, g);
        if (earlier) {
            size_t before = mark;
            int **next = take((size_t)states, sizeof *next);
            for (int s = 0; s < states; s++) {
                int u = map[f][s], v = map[g][s], apart = u >= 0 && v >= 0 && code[u] && code[v];
                for (int k = 0; k < words && apart; k++) apart = !(set[(long)u * words + k] & set[(long)v * words + k]);
                if (!apart) continue;
                next[s] = take(2 * (size_t)each, sizeof(int));
                memcpy(next[s], code[u], (size_t)each * sizeof(int));
                memcpy(next[s] + each, code[v], (size_t)each * sizeof(int));
            }
            earlier->used = 1;
            check_before(earlier->given, next, known + 1);
            mark = before;
            continue;
        }
        int ends = 0;
        for (int i = 0; i < whole; i++) {
            int pair[] = {map[f][kept[i]], map[g][kept[i]]};
            edge[i] = (Edge){pair[0], pair[1]};
            for (int side = 0; side < 2; side++) for (int k = 0; k < each; k += 2) halves[ends++] = (Edge){code[pair[side]][k], code[pair[side]][k + 1]};
        }
        if (leaf_bound(edge, whole) < needed || leaf_bound(halves, ends) < 1 << (length - 1)) continue;
        int held = 0;
        for (int k = 0; k < covers->size && !held; k++) {
            held = 1;
            spend(2LL * whole * each);
            for (int i = 0; i < whole && held; i++) {
                long total = 0;
                for (int e = 0; e < each; e++) total += weight[k][code[edge[i].u][e]] + weight[k][code[edge[i].v][e]];
                held = total >= least[k];
            }
        }
        if (!held) refuse("no cover holds the codes before two maps");
    }
    for (int k = 0; k < inner->size; k++) if (!longer[k].used) refuse("an entry is not needed");
}
static void check_one_sum(const Json *whole) {
    if (length < 2) refuse("strings of two bits or more were expected");
    if (length > 24) length = 24; /* no 2^23 states are there */
    int half = 1 << (length - 1);
    Json *given = part(whole, "barriers"), *before = part(whole, "longer");
    Entry *barriers = entries(given, "barrier", NULL), *longer = entries(before, "covers", "longer");
    Word *image = take((size_t)maps * (size_t)words, sizeof(Word)), *barrier = take((size_t)words, sizeof(Word));
    for (int k = 0; k < before->size; k++) if (entry_of(barriers, given->size, longer[k].f, longer[k].g)) refuse("the maps of two entries are the same");
    for (int k = 0; k < given->size; k++) {
        Json *numbers = list(part(barriers[k].given, "barrier"), -1);
        memset(barrier, 0, (size_t)words * sizeof(Word));
        for (int i = 0; i < numbers->size; i++) {
            int x = (int)integer(numbers->items[i], 0, states - 1);
            if (within(barrier, x)) refuse("a state is listed twice");
            join(barrier, x);
        }
    }
    for (int m = 0; m < maps; m++) for (int s = 0; s < states; s++) if (map[m][s] >= 0) join(image + (long)m * words, map[m][s]);
    Edge *edge = take((size_t)states, sizeof(Edge));
    for (int f = 0; f < maps; f++) for (int g = f + 1; g < maps; g++) {
        const Word *a = image + (long)f * words, *b = image + (long)g * words;
        int together = 0, n = 0;
        spend(3 * words + 1);
        for (int k = 0; k < words; k++) together += __builtin_popcountll(a[k] | b[k]);
        if (together < 2 * half || ones(a) < half || ones(b) < half) continue;
        spend(4 * states);
        memset(barrier, 0, (size_t)words * sizeof(Word));
        for (int s = 0; s < states; s++) {
            int u = map[f][s], v = map[g][s];
            if (u < 0 || v < 0 || u == v) continue;
            edge[n++] = (Edge){u, v};
            join(barrier, u);
            join(barrier, v);
        }
        if (n < half || ones(barrier) < 2 * half) continue;
        Entry *found = entry_of(longer, before->size, f, g);
        if (found) {
            size_t then = mark;
            int **codes = take((size_t)states, sizeof *codes);
            for (int s = 0; s < states; s++) {
                int u = map[f][s], v = map[g][s];
                if (u < 0 || v < 0 || u == v) continue;
                codes[s] = take(2, sizeof(int));
                codes[s][0] = u;
                codes[s][1] = v;
            }
            found->used = 1;
            check_before(found->given, codes, 1);
            mark = then;
            continue;
        }
        found = entry_of(barriers, given->size, f, g);
        if (!found) refuse("two maps have no barrier");
        found->used = 1;
        memset(barrier, 0, (size_t)words * sizeof(Word));
        Json *numbers = part(found->given, "barrier");
        for (int i = 0; i < numbers->size; i++) join(barrier, (int)integer(numbers->items[i], 0, states - 1));
        if (bound_by(edge, n, barrier) >= half) refuse("too many edges may be disjoint");
    }
    for (int k = 0; k < given->size; k++) if (!barriers[k].used) refuse("an entry is not needed");
    for (int k = 0; k < before->size; k++) if (!longer[k].used) refuse("an entry is not needed");
}

/* ---- tables of any function: formulas, and every input */
typedef enum { NUMBER, BITS, OUT, TRUTH, POPCOUNT, ABSOLUTE, PLUS, MINUS, TIMES, LEAST, MOST, FLOOR, REST, POWER, CHOOSE, COMPARE, NOT, AND, OR } Op;
typedef struct Formula { Op op; int count, relation; long long value; int shift; struct Formula **of; Value exact; } Formula;
static Formula *function, *promise, *yes, *no;
static int input_bits;

static Formula *new_formula(Op op, int count) {
    Formula *f = take(1, sizeof *f);
    f->op = op;
    f->count = count;
    f->of = take((size_t)count, sizeof *f->of);
    return f;
}
static int string_of(const Json *j) {
    for (int k = 0; k < strings_count; k++) if (is(j, string_name[k])) return k;
    refuse("an integer or a string was expected");
    return 0;
}
static Formula *read_formula(Json *j, int condition, int of_out) { /* of_out: a condition on the output node, where numbers are rational */
    static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">=", NULL};
    Formula *f;
    if (j->kind != LIST) {
        if (condition) {
            f = new_formula(TRUTH, 0);
            f->value = !CHOICE(j, "true", "false");
            return f;
        }
        if (of_out) {
            f = new_formula(is(j, "out") ? OUT : NUMBER, 0);
            if (f->op == NUMBER) f->exact = number(j);
            return f;
        }
        char *text = plain(j);
        int sign = text && (*text == '-' || *text == '+');
        if (text && text[sign] && !text[sign + run_of(text + sign)]) {
            f = new_formula(NUMBER, 0);
            f->value = (long long)integer(j, 1 - ((State)1 << 62), ((State)1 << 62) - 1);
            return f;
        }
        int k = string_of(j);
        f = new_formula(BITS, 0);
        f->shift = input_bits - string_first[k] - string_length[k];
        f->value = (1LL << string_length[k]) - 1;
        return f;
    }
    if (!j->size || j->items[0]->kind != TEXT) refuse("an operation was expected");
    const Json *w = j->items[0];
    int n = j->size - 1;
    if (condition) {
        for (int r = 0; relations[r]; r++) {
            if (!is(w, relations[r])) continue;
            if (n != 2) refuse("two numbers were expected");
            f = new_formula(COMPARE, 2);
            f->relation = r;
            for (int k = 0; k < 2; k++) f->of[k] = read_formula(j->items[k + 1], 0, of_out);
            return f;
        }
        f = new_formula(is(w, "not") ? NOT : is(w, "and") ? AND : OR, n);
        if (n < 1 || (f->op == NOT && n != 1) || (f->op == OR && !is(w, "or"))) refuse("a condition was expected");
        for (int k = 0; k < n; k++) f->of[k] = read_formula(j->items[k + 1], 1, of_out);
        return f;
    }
    if (of_out) refuse("a number or out was expected");
    if (is(w, "bits") && n == 3) {
        int k = string_of(j->items[1]), first, last;
        first = (int)integer(j->items[2], 1, string_length[k]);
        last = (int)integer(j->items[3], first, string_length[k]);
        f = new_formula(BITS, 0);
        f->shift = input_bits - string_first[k] - last;
        f->value = (1LL << (last - first + 1)) - 1;
        return f;
    }
    static const struct { const char *name; Op op; int least, most; } operations[] = {
        {"popcount", POPCOUNT, 1, 1}, {"abs", ABSOLUTE, 1, 1}, {"+", PLUS, 1, 1 << 24}, {"-", MINUS, 1, 1 << 24}, {"*", TIMES, 1, 1 << 24},
        {"min", LEAST, 1, 1 << 24}, {"max", MOST, 1, 1 << 24}, {"//", FLOOR, 2, 2}, {"%", REST, 2, 2}, {"**", POWER, 2, 2}, {"if", CHOOSE, 3, 3}};
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) {
        if (!is(w, operations[o].name)) continue;
        if (n < operations[o].least || n > operations[o].most) refuse("another number of operands was expected");
        f = new_formula(operations[o].op, n);
        int written = f->op == FLOOR || f->op == REST || f->op == POWER; /* the second operand is an integer */
        for (int k = 0; k < n; k++) {
            if (k && written) {
                f->value = (long long)integer(j->items[2], f->op == POWER ? 0 : 1 - ((State)1 << 62), f->op == POWER ? 62 : ((State)1 << 62) - 1);
                if (!f->value && f->op != POWER) refuse("a divisor other than 0 was expected");
                f->count = 1;
            } else f->of[k] = read_formula(j->items[k + 1], f->op == CHOOSE && !k, 0);
        }
        return f;
    }
    refuse("an operation on numbers was expected");
    return NULL;
}
static long long bounded(State x) {
    if (x <= -((State)1 << 62) || x >= (State)1 << 62) refuse("a number of more than 62 bits");
    return (long long)x;
}
static int related(int relation, int order_) { /* order_: the sign of the difference */
    return relation == 0 ? !order_ : relation == 1 ? order_ != 0 : relation == 2 ? order_ < 0 : relation == 3 ? order_ <= 0 : relation == 4 ? order_ > 0 : order_ >= 0;
}
static long long evaluated(const Formula *f, long input) { /* every part, whether it matters or not */
    long long x = f->count ? evaluated(f->of[0], input) : 0, y, z;
    steps++;
    switch (f->op) {
    case NUMBER: case TRUTH: return f->value;
    case BITS: return (input >> f->shift) & f->value;
    case POPCOUNT:
        if (x < 0) refuse("a negative number has no popcount");
        return __builtin_popcountll((unsigned long long)x);
    case ABSOLUTE: return x < 0 ? -x : x;
    case FLOOR: case REST:
        y = x / f->value;
        if (x % f->value && (x < 0) != (f->value < 0)) y--;
        return f->op == FLOOR ? bounded(y) : x - y * f->value;
    case POWER:
        for (y = 1, z = 0; z < f->value; z++) y = bounded((State)y * x);
        return y;
    case CHOOSE:
        y = evaluated(f->of[1], input);
        z = evaluated(f->of[2], input);
        return x ? y : z;
    case COMPARE:
        y = evaluated(f->of[1], input);
        return related(f->relation, (x > y) - (x < y));
    case NOT: return !x;
    default: break;
    }
    for (int k = 1; k < f->count; k++) {
        y = evaluated(f->of[k], input);
        x = f->op == PLUS ? bounded((State)x + y) : f->op == MINUS ? bounded((State)x - y) : f->op == TIMES ? bounded((State)x * y)
          : f->op == LEAST ? (x < y ? x : y) : f->op == MOST ? (x > y ? x : y) : f->op == AND ? x && y : x || y;
    }
    return x;
}
static int order_of(Value x, Value y) { /* the sign of x - y; infinities are equal to themselves */
    if (same_value(x, y)) return 0;
    if (x.sort == INFINITE) return x.negative ? -1 : 1;
    if (y.sort == INFINITE) return y.negative ? 1 : -1;
    size_t before = mark;
    Value difference = exact_sum(x, rational(!y.negative, y.top, y.bottom));
    mark = before;
    return sign_of(difference);
}
static int accepts(const Formula *f, Value out) {
    if (f->op == TRUTH) return (int)f->value;
    if (f->op == COMPARE) {
        Value sides[2];
        for (int k = 0; k < 2; k++) sides[k] = f->of[k]->op == OUT ? out : f->of[k]->exact;
        return related(f->relation, order_of(sides[0], sides[1]));
    }
    int x = accepts(f->of[0], out);
    if (f->op == NOT) return !x;
    for (int k = 1; k < f->count; k++) x = f->op == AND ? accepts(f->of[k], out) && x : accepts(f->of[k], out) || x;
    return x;
}
static int answer_of_table(State out) {
    Value x = value_of(out);
    return x.sort == NONE ? 0 : accepts(yes, x) ? 1 : accepts(no, x) ? 0 : 2;
}
static void read_table(const Json *j) {
    RECORD_OF(j, "id", "precision", "attention", "problem", "accept", "tokens", "query", "key", "value", "mlp");
    Json *precision = part(j, "precision"), *problem = part(j, "problem"), *accept = part(j, "accept");
    if (precision->kind == RECORD && find(precision, "bits")) {
        RECORD_OF(precision, "bits");
        set_bits((int)integer(part(precision, "bits"), 1, 64));
    } else {
        RECORD_OF(precision, "t", "e");
        if (!free_point) refuse("a grid is of fixed point");
        int t = (int)integer(part(precision, "t"), 1, 60);
        set_floats(t, (int)integer(part(precision, "e"), 1, 7));
    }
    linear = CHOICE(part(j, "attention"), "softmax", "linear");
    RECORD_OF(problem, "function", "promise", "strings");
    Json *given = list(part(problem, "strings"), -1);
    if (given->size < 1 || given->size > 24) refuse("from 1 to 24 strings were expected");
    for (int k = 0; k < given->size; k++) {
        Json *each = list(given->items[k], 2);
        char *name = plain(each->items[0]);
        static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
        if (!name || !*name || strspn(name, letters) != strlen(name) || strchr("_0123456789", *name)) refuse("a name was expected");
        for (int i = 0; i < k; i++) if (!strcmp(string_name[i], name)) refuse("two strings have one name");
        string_name[k] = name;
        string_length[k] = (int)integer(each->items[1], 1, 24);
        string_first[k] = input_bits;
        input_bits += string_length[k];
        strings_count = k + 1;
    }
    if (input_bits > 24) refuse("strings of at most 24 bits were expected");
    function = read_formula(part(problem, "function"), 1, 0);
    promise = read_formula(part(problem, "promise"), 1, 0);
    RECORD_OF(accept, "yes", "no", "rectified");
    yes = read_formula(part(accept, "yes"), 1, 1);
    no = read_formula(part(accept, "no"), 1, 1);
    Kind kind = part(accept, "rectified")->kind;
    if (kind != TRUE && kind != FALSE) refuse("rectified: true or false was expected");
    rectified = kind == TRUE;
    read_weights(j);
}
static int content_of(const Token *t, long input) {
    int content = 0;
    for (int i = 0; i < t->count; i++)
        content = 2 * content + (int)(input >> (input_bits - string_first[t->bit[i].string] - t->bit[i].position) & 1);
    return content;
}
static void attentions_of(const State *ends, State *found) {
    for (int k = 0; k < outputs; k++) {
        State top = numerator(ends, k);
        found[k] = linear ? top : divide(top, ends[sums]);
    }
}
static void check_counterexample(const Json *whole) {
    Json *given = part(whole, "input"), *trace = part(whole, "trace");
    long input = 0;
    if (given->kind != RECORD || given->size != strings_count) refuse("input: a text for each string was expected");
    for (int k = 0; k < strings_count; k++) {
        char *text = plain(part(given, string_name[k]));
        if (!text || (int)strlen(text) != string_length[k] || (int)strspn(text, "01") != string_length[k]) refuse("a string of bits was expected");
        for (; *text; text++) input = 2 * input + (*text == '1');
    }
    for (long other = 0; other < 1L << input_bits; other++) evaluated(promise, other), evaluated(function, other), spend(0);
    if (!evaluated(promise, input)) refuse("the input breaks the promise");
    int right = (int)evaluated(function, input);
    Value one = rational(0, nat(1), nat(1));
    RECORD_OF(trace, "steps", "numerators", "denominator", "attentions", "hidden", "output", "answer");
    Json *listed = list(part(trace, "steps"), tokens);
    State *now = take((size_t)sums + 1, sizeof(State)), *attention = take((size_t)outputs, sizeof(State)), *inner = take((size_t)nodes, sizeof(State));
    for (int k = 0; k < tokens; k++) {
        Json *step_ = listed->items[k];
        RECORD_OF(step_, "content", "weight", "products", "sums", "denominator");
        int content = content_of(&token[k], input);
        char text[17] = {0};
        for (int i = 0; i < token[k].count; i++) text[i] = (char)('0' + (content >> (token[k].count - 1 - i) & 1));
        if (!is(part(step_, "content"), text)) refuse("the trace has another content");
        State *adds = token[k].adds[content];
        value_is(part(step_, "weight"), adds[sums]);
        list(part(step_, "products"), sums);
        list(part(step_, "sums"), sums);
        for (int i = 0; i <= sums; i++) now[i] = add(now[i], adds[i]);
        for (int i = 0; i < sums; i++) {
            value_is(part(step_, "products")->items[i], adds[i]);
            value_is(part(step_, "sums")->items[i], now[i]);
        }
        if (!same_value(value(part(step_, "denominator")), linear ? one : value_of(now[sums]))) refuse("the trace has another denominator");
    }
    attentions_of(now, attention);
    State out = mlp_output(attention, inner);
    list(part(trace, "numerators"), outputs);
    list(part(trace, "attentions"), outputs);
    for (int k = 0; k < outputs; k++) {
        value_is(part(trace, "numerators")->items[k], numerator(now, k));
        value_is(part(trace, "attentions")->items[k], attention[k]);
    }
    if (!same_value(value(part(trace, "denominator")), linear ? one : value_of(now[sums]))) refuse("the trace has another denominator");
    list(part(trace, "hidden"), nodes);
    for (int k = 0; k < nodes; k++) value_is(part(trace, "hidden")->items[k], inner[k]);
    value_is(part(trace, "output"), out);
    static const char *const answers[] = {"0", "1", "neither"};
    int answer = answer_of_table(out);
    if (!is(part(trace, "answer"), answers[answer])) refuse("the trace has another answer");
    if (answer == right) refuse("the answer is right");
}
#define KEPT 65536
typedef struct { int known; State out; } Kept; /* what the MLP makes of some attentions, which stand in a list of their own */
static State output_at(const State *attention, Kept *kept, State *keys, State *inner) {
    uint64_t hash = 14695981039346656037u;
    for (int k = 0; k < outputs; k++) hash = (hash ^ (uint64_t)attention[k] ^ (uint64_t)(attention[k] >> 64)) * 1099511628211u;
    size_t place = (size_t)(hash >> 20) % KEPT;
    if (!kept[place].known || memcmp(keys + place * (size_t)outputs, attention, (size_t)outputs * sizeof(State))) {
        spend(200LL * (nodes + 1) * (outputs + 1));
        kept[place].known = 1;
        kept[place].out = mlp_output(attention, inner);
        memcpy(keys + place * (size_t)outputs, attention, (size_t)outputs * sizeof(State));
    }
    return kept[place].out;
}
static void check_enumerated(const Json *whole) {
    Json *listed = list(part(whole, "outcomes"), -1), *assumptions = list(part(whole, "assumptions"), -1);
    State *out = take((size_t)listed->size, sizeof(State));
    long *counted = take((size_t)listed->size, sizeof(long));
    int *right = take((size_t)listed->size, sizeof(int));
    int wanted = lacking && !entries_rounded;
    if (assumptions->size != wanted || (wanted && !is(assumptions->items[0], "exact-entries"))) refuse("other assumptions were expected");
    for (int k = 0; k < listed->size; k++) {
        Json *each = list(listed->items[k], 3);
        out[k] = state_of(value(each->items[0]));
        if (!same_value(value(each->items[0]), value_of(out[k]))) refuse("an outcome is no value of the format");
        right[k] = CHOICE(each->items[1], "0", "1");
        spend(k);
        for (int i = 0; i < k; i++) if (out[i] == out[k] && right[i] == right[k]) refuse("an outcome is listed twice");
        if (answer_of_table(out[k]) != right[k]) refuse("an outcome is not answered rightly");
    }
    size_t rows = (size_t)tokens + 1, across = (size_t)sums + 1;
    State *now = take(rows * across, sizeof(State)), *attention = take((size_t)outputs, sizeof(State)), *inner = take((size_t)nodes, sizeof(State));
    Kept *kept = take(KEPT, sizeof *kept);
    State *keys = take(KEPT * (size_t)outputs, sizeof(State));
    int *content = take((size_t)tokens, sizeof(int)), last = 0;
    long cases = 0, positive = 0;
    for (long input = 0; input < 1L << input_bits; input++) {
        int from = input ? tokens : 0; /* the first token whose content is another one than before */
        for (int k = 0; k < tokens; k++) {
            int next = content_of(&token[k], input);
            if (next != content[k] && k < from) from = k;
            content[k] = next;
        }
        int asked = (int)evaluated(promise, input), yes_ = (int)evaluated(function, input);
        spend(2 * tokens + 20LL * (tokens - from) * (sums + 1) + 100LL * columns * outputs);
        for (int k = from; k < tokens; k++)
            for (int i = 0; i <= sums; i++)
                now[(size_t)(k + 1) * across + (size_t)i] = add(now[(size_t)k * across + (size_t)i], token[k].adds[content[k]][i]);
        if (!asked) continue;
        size_t before = mark;
        attentions_of(now + (size_t)tokens * across, attention);
        State found = output_at(attention, kept, keys, inner);
        mark = before;
        cases++;
        positive += yes_;
        for (int k = 0; k < listed->size; k++) { /* mostly the one that was met last */
            int i = (last + k) % listed->size;
            if (out[i] == found && right[i] == yes_) { counted[i]++; last = i; asked = 0; break; }
            steps++;
        }
        if (asked) refuse("an outcome is missing");
    }
    if (!cases) refuse("no input keeps the promise");
    integer_is(part(whole, "cases"), nat((Wide)cases));
    integer_is(part(whole, "yes"), nat((Wide)positive));
    for (int k = 0; k < listed->size; k++) {
        if (!counted[k]) refuse("an outcome does not occur");
        integer_is(listed->items[k]->items[2], nat((Wide)counted[k]));
    }
}

/* ---- the certificate */
static void check_parameters(const Json *j, int kind) {
    if (j->kind != RECORD) refuse("parameters: a record was expected");
    for (int k = 0; k < j->size; k++) {
        const Json *name = j->keys[k];
        if (kind > 3) { integral(j->items[k]); continue; } /* of a table, the author's word */
        int size = is(name, "m") ? length : kind < 2 && is(name, "p") ? bits : kind < 2 && is(name, "n") ? tokens - 1
                 : kind == 3 && is(name, "q") ? bits : kind == 3 && is(name, "coupling") ? coupling : -1;
        if (size < 0) refuse("a parameter that is no size");
        integer_is(j->items[k], nat((Wide)size));
    }
}
/* A regular file. A pipe or a device could keep the checker waiting. */
static FILE *opened(const char *path) {
    struct stat about;
    int number = open(path, O_RDONLY | O_NONBLOCK);
    if (number < 0 || fstat(number, &about)) { perror(path); exit(2); }
    if (!S_ISREG(about.st_mode)) { fprintf(stderr, "%s: no regular file\n", path); exit(2); }
    FILE *file = fdopen(number, "rb");
    if (!file) { perror(path); exit(2); }
    return file;
}
int main(int count, char **arguments) {
    if (count != 2) { fprintf(stderr, "usage: %s FILE\n", arguments[0]); return 2; }
    FILE *file = opened(arguments[1]);
    size_t room = (1u << 24) + 1;
    unsigned char *data = malloc(room);
    arena = malloc(ARENA);
    if (!data || !arena) too_large("out of memory");
    size_t n = fread(data, 1, room, file);
    if (n == room) too_large("more than %u bytes", 1u << 24);
    here = data;
    finish = data + n;
    Json *whole = read_json(0);
    blanks();
    if (here != finish) refuse("JSON: more than one value");
    if (whole->kind != RECORD) refuse("a record was expected");
    if (CHOICE(part(whole, "format"), "bitreferee/certificate/1", "bitreferee/network-certificate/1", "bitreferee/symbols-certificate/1")) {
        puts("not checked: this checker does not read certificates of networks or of every parameter");
        return fflush(stdout) ? 2 : 4;
    }
    if (is(part(whole, "kind"), "every-length")) { puts("not checked: this checker does not read the kind every-length"); return fflush(stdout) ? 2 : 4; }
    int kind = CHOICE(part(whole, "kind"), "refuted", "verified", "fooling-set", "one-sum", "enumerated", "counterexample");
#define HEAD "format", "kind", "claim", "edition", "parameters", "digest"
    if (kind == 0) RECORD_OF(whole, HEAD, "semantics", "construction", "input", "trace");
    if (kind == 1) RECORD_OF(whole, HEAD, "semantics", "construction", "cases", "assumptions", "blocks");
    if (kind == 2) RECORD_OF(whole, HEAD, "problem", "rule", "size", "pairs", "bits");
    if (kind == 3) RECORD_OF(whole, HEAD, "semantics", "problem", "sums", "barriers", "longer");
    if (kind == 4) RECORD_OF(whole, HEAD, "semantics", "construction", "cases", "yes", "assumptions", "outcomes");
    if (kind == 5) RECORD_OF(whole, HEAD, "semantics", "construction", "input", "trace");
    if (part(whole, "claim")->kind != TEXT) refuse("claim: a text was expected");
    CHOICE(part(whole, "edition"), "statement", "printed", "repaired");
    check_digest(whole);
    if (kind != 2) read_semantics(part(whole, "semantics"));
    if (kind < 2) read_construction(part(whole, "construction"));
    else if (kind > 3) read_table(part(whole, "construction"));
    else length = read_problem(part(whole, "problem"));
    if (kind == 3) read_sums(part(whole, "sums"));
    check_parameters(part(whole, "parameters"), kind);
    if (kind == 0) check_refuted(whole);
    if (kind == 1) check_verified(whole);
    if (kind == 2) check_fooling(whole);
    if (kind == 3) check_one_sum(whole);
    if (kind == 4) check_enumerated(whole);
    if (kind == 5) check_counterexample(whole);
    puts("accepted");
    return fflush(stdout) ? 2 : 0;
}
