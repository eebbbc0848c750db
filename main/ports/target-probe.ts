import type { Target } from '../domain/target/target.ts';
import type { Credential } from './account.ts';

/** A target's verdict on a credential; `unknown`: it could not be asked, or its answer is inconclusive. */
export type Verdict = 'accepted' | 'rejected' | 'unknown';

/**
 * Asks a target with a cheap request whether it takes a credential (rule: inferred-401). Never throws; `unknown` for
 * a kind without such a request.
 */
export type TargetProbe = (target: Target, credential: Credential, signal: AbortSignal) => Promise<Verdict>;
