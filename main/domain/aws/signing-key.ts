import { createHmac } from 'node:crypto';
import type { Secret } from '../../base/secret.ts';

/**
 * The key that signs with an access key on one day, for one region and service (AWS General Reference, Signature Version 4,
 * "Derive a signing key"). `date`: YYYYMMDD, UTC.
 */
export function awsSigningKey(
  secretAccessKey: Secret,
  { date, region, service }: { date: string; region: string; service: string },
): Buffer {
  return [date, region, service, 'aws4_request'].reduce<Buffer>(
    (before, part) => createHmac('sha256', before).update(part, 'utf8').digest(),
    Buffer.from(`AWS4${secretAccessKey.reveal()}`, 'utf8'),
  );
}
