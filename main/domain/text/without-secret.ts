/** Shorter pieces tell nothing, and stand in other words, too. In characters. */
const shortestPiece = 16;

/** The text with `…` in the place of the secret and of its pieces: a program may have cut or wrapped what it quotes. */
export function withoutSecret(text: string, secret: string): string {
  let shown = '';
  let at = 0;
  while (at < text.length) {
    let end = at + shortestPiece;
    if (end > text.length || !secret.includes(text.slice(at, end))) {
      shown += text[at];
      at += 1;
      continue;
    }
    while (end < text.length && secret.includes(text.slice(at, end + 1))) {
      end += 1;
    }
    shown += '…';
    at = end;
  }
  return shown;
}
