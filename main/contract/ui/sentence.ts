/** A name stays as it is written: a program that asks, a host, a file, client-go’s `exec:`. */
const beginsWithName = /^(lanyard|kubectl|helm|k9s) |^\S*[./:_]\S|^exec:/;

/** Words of the broker, which begin small and end without a full stop, as a sentence. */
export function sentence(words: string): string {
  const text = words.trim();
  const begun = beginsWithName.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?…:`]$/.test(begun) || /\blanyard [\w /<-]+$/.test(begun) ? begun : `${begun}.`;
}
