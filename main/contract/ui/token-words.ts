/** What a token says of wrong PINs, as a sentence’s words; null: nothing. `final`: the next one locks it. */
export function triesText(tries: 'low' | 'final' | null): string | null {
  switch (tries) {
    case 'final':
      return 'the next wrong PIN locks the token';
    case 'low':
      return 'a wrong PIN was given since the last right one';
    case null:
      return null;
  }
}

/** A token has been asked for something that only its user gives, as a sentence’s words. */
export const waitsAtTokenText = 'waiting for the token: touch it, or type the PIN at its pad';
