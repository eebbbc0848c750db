import type { Secret } from '../../base/secret.ts';

/** An access key of AWS; with a session token, of a role or a login. */
export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: Secret;
  sessionToken: Secret | null;
}

/** All of it as plain text, to compare it with another. */
export function awsKeysParts({ accessKeyId, secretAccessKey, sessionToken }: AwsKeys): (string | null)[] {
  return [accessKeyId, secretAccessKey.reveal(), sessionToken?.reveal() ?? null];
}

/** An access key’s id as it is shown, and goes into a header. */
export const accessKeyIdText = /^[\w-]{1,256}$/;
