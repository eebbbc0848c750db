import { Secret } from '../../base/secret.ts';

export type ParsedToken =
  | { ok: true; token: Secret }
  | { ok: false; code: 'empty' | 'multiLine' | 'notAToken'; message: string };

/**
 * Parses a token that the user stored: the spaces and line ends around it are dropped. It goes into an HTTP header,
 * so it must be one line of printable ASCII without spaces (RFC 6750 allows even less).
 */
export function parseToken(text: Secret): ParsedToken {
  const token = text
    .reveal()
    .replace(/^\uFEFF/, '')
    .trim();
  if (token === '') {
    return { ok: false, code: 'empty', message: 'is empty' };
  }
  if (/[\r\n]/.test(token)) {
    return { ok: false, code: 'multiLine', message: 'has more than one line: expected the token alone' };
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return {
      ok: false,
      code: 'notAToken',
      message: 'has spaces or characters that no token has: expected the token alone',
    };
  }
  return { ok: true, token: new Secret(token) };
}
