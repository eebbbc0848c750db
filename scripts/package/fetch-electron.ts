import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readPackage } from './licences-of-bundle.ts';
import { architecturesOf, type Target } from './target.ts';

type Download = (options: {
  version: string;
  artifactName: 'electron';
  platform: string;
  arch: string;
  checksums: unknown;
}) => Promise<string>;

/**
 * Brings Electron's archives for a target into Electron's own cache, where electron-builder finds them: held against
 * the checksums in the npm package, which the lock file pins. Throws where they can't be had.
 */
export async function fetchElectron(root: string, target: Target): Promise<void> {
  const electron = join(root, 'node_modules', 'electron');
  const require = createRequire(join(electron, 'package.json'));
  const { downloadArtifact } = (await import(pathToFileURL(require.resolve('@electron/get')).href)) as {
    downloadArtifact: Download;
  };
  const { version } = readPackage(electron);
  const checksums: unknown = JSON.parse(readFileSync(join(electron, 'checksums.json'), 'utf8'));
  for (const arch of architecturesOf(target)) {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      platform: target.platform,
      arch,
      checksums,
    });
  }
}
