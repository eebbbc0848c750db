import { Secret } from '../../base/secret.ts';
import type { AwsKeys } from '../credential/aws-keys.ts';
import { presignedAddress } from './sign-request.ts';
import { stsAddress } from './sts-address.ts';

/** STS takes the request for 15 minutes after its time; `aws eks get-token` says 14. */
const lifeMilliseconds = 14 * 60_000;

/**
 * A token for an EKS cluster: a request GetCallerIdentity to the region’s STS that the cluster’s authenticator sends, with the
 * cluster’s name in a signed header. Equal, byte for byte, to what `aws eks get-token` makes at the same second
 * (awscli/customizations/eks/get_token.py). Always of the region’s own address: the authenticator takes no other. Times are in milliseconds
 * since 1970.
 */
export function eksToken(
  { cluster, region }: { cluster: string; region: string },
  keys: AwsKeys,
  now: number,
): { token: Secret; issuedAt: number; expiresAt: number } {
  const address = presignedAddress(
    { address: stsAddress(region), region, keys, now },
    {
      parameters: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
      headers: { 'x-k8s-aws-id': cluster },
      expiresSeconds: 60,
    },
  );
  const issuedAt = Math.floor(now / 1000) * 1000;
  const token = new Secret(`k8s-aws-v1.${Buffer.from(address, 'utf8').toString('base64url')}`);
  return { token, issuedAt, expiresAt: issuedAt + lifeMilliseconds };
}
