import { decodeJwt } from 'jose';
import type { Secret } from '../../base/secret.ts';
import { visibleText } from '../text/visible-text.ts';

/**
 * For whom a token says that it is (RFC 7519, `aud`), fit to be shown; null where it is no JWT, or doesn't say.
 * Nothing is verified here: the cluster does that.
 */
export function tokenAudiences({ token }: { token: Secret | null }): readonly string[] | null {
  if (token === null) {
    return null;
  }
  try {
    const all = [decodeJwt(token.reveal()).aud ?? []].flat().filter((each) => typeof each === 'string');
    return all.length === 0 ? null : all.slice(0, 20).map((each) => visibleText(each, 200));
  } catch {
    return null;
  }
}
