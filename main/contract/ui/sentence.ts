/** Names keep their case: a program, a host, a file, client-go’s `exec:`, an account’s before what is said of it. */
const beginsWithName =
  /^(lanyard|kubectl|helm|k9s) |^\S*[./:_]\S|^(?!(run|look|try|note|warning|locked): )\S+: /;

/** A message of the broker, lower case and without a full stop, as a sentence. */
export function sentence(words: string): string {
  const text = words.trim();
  const begun = beginsWithName.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?…:`]$/.test(begun) || /\blanyard [\w /<-]+$/.test(begun) ? begun : `${begun}.`;
}
