/** Letters that Unicode's decomposition leaves as they are, in Latin without marks. Lower case; capitals follow. */
const letters: Readonly<Record<string, string>> = {
  // Latin
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  // Cyrillic, about as BGN/PCGN; й, ё and ї are letters with marks
  ...row('абвгдежзиклмнопрстуфхцчшщъыьэюя', [
    ...'a b v g d e zh z i k l m n o p r s t u f kh ts ch sh shch'.split(' '),
    '',
    'y',
    '',
    'e',
    'yu',
    'ya',
  ]),
  ...row('ґєіђјљњћџ', 'g ye i d j lj nj c dz'.split(' ')),
  // Greek
  ...row('αβγδεζηθικλμνξοπρσςτυφχψω', 'a v g d e z i th i k l m n x o p r s s t y f ch ps o'.split(' ')),
};

/** `text` in Latin as far as possible, without marks (Unicode's NFKD); other letters stay. */
export function latinOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{ASCII}]/gu, (letter) => {
      const small = letter.toLowerCase();
      const latin = Object.hasOwn(letters, small) ? (letters[small] ?? letter) : letter;
      return small === letter ? latin : latin.charAt(0).toUpperCase() + latin.slice(1);
    });
}

function row(from: string, to: readonly string[]): Record<string, string> {
  return Object.fromEntries([...from].map((letter, index) => [letter, to[index] ?? letter]));
}
