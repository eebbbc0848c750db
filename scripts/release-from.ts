import { readFileSync } from 'node:fs';
import { releaseFields } from '../app/updates/release.ts';

/**
 * What a build that is to be updated knows of newer ones (app/updates/release.ts), from LANYARD_UPDATE_FEED, an address,
 * and LANYARD_UPDATE_KEYS, paths of files with a public key in PEM, with commas between; null where neither is set. Both
 * or none, and good ones: a build that could never be updated isn't made by accident.
 */
export function releaseFrom(env: NodeJS.ProcessEnv): string | null {
  const feed = env['LANYARD_UPDATE_FEED'] ?? '';
  const files = (env['LANYARD_UPDATE_KEYS'] ?? '').split(',').filter((each) => each !== '');
  if (feed === '' && files.length === 0) {
    return null;
  }
  const keys = files.map((file) => {
    const [, body = ''] = /-----BEGIN PUBLIC KEY-----([^-]+)-----END/.exec(readFileSync(file, 'utf8')) ?? [];
    return body.replace(/\s/g, '');
  });
  return `${JSON.stringify(releaseFields.parse({ feed, keys }))}\n`;
}
