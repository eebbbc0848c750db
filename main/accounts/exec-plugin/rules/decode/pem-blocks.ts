export interface PemBlock {
  type: string;
  der: Buffer;
}

/**
 * The blocks of a PEM text as Go's encoding/pem finds them: each begins at the start of a line and ends at the end of
 * one; spaces and tabs inside and after its lines are ignored. Incomplete blocks are skipped.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let at = 0;
  for (;;) {
    // The first end, and the last beginning before it.
    const end = text.indexOf(endMark, at);
    if (end < 0) {
      return blocks;
    }
    const begin = text.slice(at, end).lastIndexOf(beginMark) + at;
    const block = begin < at || (begin > at && text[begin - 1] !== '\n') ? null : blockAt(text, begin, end);
    if (block) {
      blocks.push(block.found);
    }
    at = block ? block.next : end + endMark.length;
  }
}

const beginMark = '-----BEGIN ';
const endMark = '\n-----END ';
const dashes = '-----';

function blockAt(text: string, begin: number, end: number): { found: PemBlock; next: number } | null {
  const first = lineAt(text, begin + beginMark.length);
  if (!first.line.endsWith(dashes)) {
    return null;
  }
  const type = first.line.slice(0, -dashes.length);
  // Headers of an old key (RFC 1421).
  let body = first.next;
  for (let line = lineAt(text, body); line.line.includes(':'); line = lineAt(text, body)) {
    body = line.next;
    if (body > end + 1) {
      return null;
    }
  }
  const { line: last, next } = lineAt(text, end + endMark.length);
  if (last !== `${type}${dashes}`) {
    return null;
  }
  const base64 = text.slice(body, Math.max(body, end)).replaceAll(/[ \t\r\n]/g, '');
  return base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64)
    ? { found: { type, der: Buffer.from(base64, 'base64') }, next }
    : null;
}

/** Without the spaces at its end. */
function lineAt(text: string, start: number): { line: string; next: number } {
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
  return { line: line.replace(/[ \t]+$/, ''), next: end < 0 ? text.length : end + 1 };
}
