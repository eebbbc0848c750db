import type { Secret } from '../../base/secret.ts';
import { visibleText } from '../text/visible-text.ts';
import { readEntry } from './docker-entry.ts';
import { parseServer } from './registry-server.ts';

/** Exactly as in docker-credential-helpers’ credentials package: clients compare it. */
export const notFoundText = 'credentials not found in native keychain';

/** What docker asks for Docker Hub (registry.IndexServer). */
export const hubServer = 'https://index.docker.io/v1/';

/** The most of a helper’s own words that an error shows, in characters. */
const shownCharacters = 600;

/** The server that docker would name to its helper for an image: a host with its port, or Docker Hub’s URL. */
export function serverOfImage(image: string): string {
  const [host = ''] = image.split('/', 1);
  const parsed = parseServer(host);
  return parsed.ok && parsed.server.key === 'docker.io' ? hubServer : host;
}

/** The answer of `get` of a run that ended well; null: it is none. Its server is the one that was asked for, as docker reads it. */
export function readHelperAnswer(stdout: Secret): { userName: string; password: Secret } | null {
  const entry = readEntry(stdout.reveal());
  return entry && { userName: entry.userName, password: entry.secret };
}

/** Whether a failed `get` says that the store has no entry: this text alone means that (IsErrCredentialsNotFoundMessage). */
export function saysNotFound(stdout: Secret): boolean {
  return stdout.reveal().trim() === notFoundText;
}

/**
 * What a failed run says on standard output, where this protocol has its errors, for display. Never an entry: what
 * looks like one is left out (rule: no-secret-in-text).
 */
export function helperWords(stdout: Secret): string {
  const text = stdout.reveal().trim();
  return /^[{[]|secret[^a-z0-9]{0,8}[:=]/i.test(text)
    ? '(not shown: it could have a secret in it)'
    : visibleText(text.replace(/\s+/g, ' '), shownCharacters);
}
