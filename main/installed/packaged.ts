import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where deb and rpm link their helper: on every shell’s PATH. */
const packagedLink = '/usr/bin/lanyard';

/** The folder of the system package’s link to this helper; null: no package installed it. */
export async function packagedFolder(helper: string, link = packagedLink): Promise<string | null> {
  const [linked, own] = await Promise.all([link, helper].map((path) => realpath(path).catch(() => null)));
  return linked != null && linked === own ? dirname(link) : null;
}
