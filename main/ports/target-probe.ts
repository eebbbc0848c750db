import type { Target } from '../domain/target/target.ts';
import type { Credential } from './account.ts';

/** What a target says to a credential; `unknown`: it could not be asked, or its answer tells nothing. */
export type Verdict = 'accepted' | 'rejected' | 'unknown';

/**
 * Asks a target itself with a cheap request whether it takes a credential (rule: inferred-401). Never throws; `unknown`
 * for a kind that it has no request for.
 */
export type TargetProbe = (target: Target, credential: Credential, signal: AbortSignal) => Promise<Verdict>;
