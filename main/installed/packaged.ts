import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where deb and rpm put the helper that they bring: on every shell's PATH. */
const packagedLink = '/usr/bin/lanyard';

/** The folder in which the system's package manager put this very helper; null: it didn't. */
export async function packagedFolder(helper: string, link = packagedLink): Promise<string | null> {
  const [linked, own] = await Promise.all([link, helper].map((path) => realpath(path).catch(() => null)));
  return linked != null && linked === own ? dirname(link) : null;
}
