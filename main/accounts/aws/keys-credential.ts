import type { Refusal } from '../../contract/refusal.ts';
import type { AwsKeys } from '../../domain/credential/aws-keys.ts';
import type { Credential } from '../../ports/account.ts';

/** AWS keys with their life, in milliseconds since 1970; `expiresAt` null: until they are deleted. */
export interface LivingKeys {
  keys: AwsKeys;
  issuedAt: number | null;
  expiresAt: number | null;
}

/** Static keys where they are. `where`: the end of a sentence about them. `warning`: what is wrong with their file. */
export type FoundKeys = { ok: true; keys: AwsKeys; where: string; warning: string | null } | Refusal;

/** They sign requests, and go nowhere themselves. */
export function keysCredential({ keys, issuedAt, expiresAt }: LivingKeys): Credential {
  return { token: null, certificate: null, awsKeys: keys, issuedAt, expiresAt };
}
