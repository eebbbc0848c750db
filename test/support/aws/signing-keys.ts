import { createHmac } from 'node:crypto';

const day = 86_400_000;

/**
 * The derived keys of yesterday, today and tomorrow in UTC, as the data plane is told them (docs/adr/0030): AWS’s guide,
 * “Create a signed AWS API request”, step 4.
 */
export function signingKeys(
  secretAccessKey: string,
  { region, service }: { region: string; service: string },
  now = Date.now(),
): { date: string; key: string }[] {
  return [now - day, now, now + day].map((instant) => {
    const date = new Date(instant).toISOString().slice(0, 10).replaceAll('-', '');
    const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
      (above, part) => createHmac('sha256', above).update(part).digest(),
      `AWS4${secretAccessKey}`,
    );
    return { date, key: Buffer.from(key).toString('base64') };
  });
}
