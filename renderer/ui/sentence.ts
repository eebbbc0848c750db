/** Words of the broker, which begin small and end without a full stop, as a sentence. */
export function sentence(words: string): string {
  const text = words.trim();
  const isCommand = /^lanyard /.test(text);
  const begun = isCommand ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?…:`]$/.test(begun) || /\blanyard [\w -]+$/.test(begun) ? begun : `${begun}.`;
}
