/** Names keep their case: a program, a host, a file, client-go’s `exec:`, an account’s before what is said of it. */
const beginsWithName =
  /^(lanyard|kubectl|helm|k9s) |^\S*[./:_\d]\S|^[^\s’]+\d |^(?!(run|look|try|note|warning|locked): )\S+: /;

/** What messages say of a name that they begin with: “corp has no token yet”. */
const ofSomething =
  /^\S+ (is|isn’t|are|was|has|had|needs|can’t|could|doesn’t|did|holds|reads|signs|runs|wants|serves|waits|takes|exchanges|proves|connects|gave|gives|answered|got|asks|asked|expires|refuses|rejects|offers|names|no longer) /;

/** The words that messages begin with where what follows is of no name. */
const plainWord =
  /^(it|this|that|these|there|nothing|something|what|who|you|others|anyone|none|nobody|never|one|each|token|question|credential|certificates|requests|inventory|plugin|renewal|version|kind|group|files|helpers|changes|credentials|profiles|cluster|account|login|server|provider|context|registry|keys?|password|passphrase|certificate|secret|vault|file|browser|port|access|session|home|user|program|system|page|token’s|keychain|everything|all|no|not|where) /;

/** A message of the broker, lower case and without a full stop, as a sentence. */
export function sentence(words: string): string {
  const text = words.trim();
  const isName = beginsWithName.test(text) || (ofSomething.test(text) && !plainWord.test(text));
  const begun = isName ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?…:`]$/.test(begun) || /\blanyard [\w /<-]+$/.test(begun) ? begun : `${begun}.`;
}
