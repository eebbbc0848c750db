/** What the service signed, where its answer says it, beside what was signed here. `signed` null: no such line. */
export type CanonicalDifference =
  | { kind: 'same' }
  | { kind: 'line'; signed: string | null; service: string | null };

/**
 * The first line in which the canonical request that a service says it had differs from the one that was signed: what
 * something on the way changed. Null: the answer’s text has none. API Gateway has it in the message of an
 * InvalidSignatureException (AWS, “Troubleshoot signed requests”).
 */
export function canonicalDifference(message: string, signed: string): CanonicalDifference | null {
  const [, service] =
    /The Canonical String for this request should have been\s*'([\s\S]*?)'/.exec(message) ?? [];
  if (service === undefined) {
    return null;
  }
  const [here, there] = [signed.split('\n'), service.split('\n')];
  for (let at = 0; at < Math.max(here.length, there.length); at += 1) {
    const [ours, theirs] = [here[at], there[at]];
    if (ours !== theirs && !isBlanked(ours, theirs)) {
      return { kind: 'line', signed: ours ?? null, service: theirs ?? null };
    }
  }
  return { kind: 'same' };
}

/** The session token isn’t shown, here or there. */
function isBlanked(ours: string | undefined, theirs: string | undefined): boolean {
  const name = 'x-amz-security-token:';
  return ours?.startsWith(name) === true && theirs?.startsWith(name) === true;
}
