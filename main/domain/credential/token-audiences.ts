import { decodeJwt } from 'jose';
import type { Secret } from '../../base/secret.ts';
import { visibleText } from '../text/visible-text.ts';

/**
 * The audiences that a token states (RFC 7519, `aud`), safe for display; null: it is no JWT, or states none. Nothing
 * is verified here: the cluster does that.
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
