/** Joined letters, or from right to left: a cut within them would change their forms or their order. */
const uncut =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mongolian}]/u;
/** Each of these is one letter: most names have no other, and finding letters takes long. */
const plain = /^[\x20-\x7e]*$/;
/** Shorter names are cut at their end, if at all. */
const fewest = 18;
/** How many letters of the end stay. A cut at a separator near it reads better. */
const [least, usual, most] = [6, 10, 14];

/** A name as its beginning, which may be shortened, and its end, which stays: ends tell names apart. */
export function cutName(text: string): [head: string, tail: string] {
  if (text.length < fewest || uncut.test(text)) {
    return [text, ''];
  }
  // Not within a letter and its marks.
  const letters = plain.test(text)
    ? text.split('')
    : [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  if (letters.length < fewest) {
    return [text, ''];
  }
  const places = Array.from({ length: most - least + 1 }, (_, index) => letters.length - most + index);
  const at = places.find((place) => /^[-_./:@·\s]$/.test(letters[place] ?? '')) ?? letters.length - usual;
  return [letters.slice(0, at).join(''), letters.slice(at).join('')];
}
