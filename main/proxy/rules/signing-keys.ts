import { awsSigningKey } from '../../domain/aws/signing-key.ts';
import type { AwsKeys } from '../../domain/credential/aws-keys.ts';

/** What AWS Signature Version 4 needs of an access key for one service, for three days. All secret but the scope. */
export interface SigningWith {
  service: string;
  region: string;
  accessKeyId: string;
  sessionToken: string | null;
  /** `date`: YYYYMMDD, UTC; `key`: base64. */
  keys: readonly { date: string; key: string }[];
}

const day = 86_400_000;

/**
 * The keys that the data plane signs with: derived of the secret access key, which stays here. Each is good for one day,
 * region and service (AWS General Reference, Signature Version 4, "Derive a signing key"); the days beside this one are
 * for a clock that is wrong.
 */
export function signingWith(
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  { service, region }: { service: string; region: string },
  now: number,
): SigningWith {
  const keys = [now - day, now, now + day].map((time) => {
    const date = new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
    const key = awsSigningKey(secretAccessKey, { date, region, service });
    return { date, key: key.toString('base64') };
  });
  return { service, region, accessKeyId, sessionToken: sessionToken?.reveal() ?? null, keys };
}
