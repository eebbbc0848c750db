import { releaseFields } from '../app/updates/release.ts';

/**
 * What a build that is to be updated knows of newer ones (app/updates/release.ts), from LANYARD_UPDATE_FEED, an address,
 * and LANYARD_UPDATE_KEYS, public keys as scripts/sign-update.ts prints them, with a comma between; null where neither is
 * set. Both or none, and good ones: a build that could never be updated isn't made by accident.
 */
export function releaseFrom(env: NodeJS.ProcessEnv): string | null {
  const feed = env['LANYARD_UPDATE_FEED'] ?? '';
  const keys = (env['LANYARD_UPDATE_KEYS'] ?? '').split(/[\s,]+/).filter((each) => each !== '');
  return feed === '' && keys.length === 0 ? null : `${JSON.stringify(releaseFields.parse({ feed, keys }))}\n`;
}
