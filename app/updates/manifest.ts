import { isUtf8 } from 'node:buffer';
import { parse } from 'yaml';
import { z } from 'zod';
import { versionPattern } from './compare-versions.ts';

/** The largest package. */
const packageLimitBytes = 1024 ** 3;

const packageFile = z.object({
  /** A name beside the manifest: no folder, no other server, no characters that a shell interprets. */
  url: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
  /** In base64. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.int().min(1).max(packageLimitBytes),
  /** Windows: the app was installed for all users. */
  isAdminRightsRequired: z.boolean().optional(),
});

/** The parts of electron-builder's manifest that are used. Ignores the rest. */
const manifest = z.object({
  version: z.string().max(128).regex(versionPattern),
  files: z.array(packageFile).min(1).max(32),
  releaseDate: z.string().max(64).default(''),
  releaseNotes: z.string().max(16_384).nullish(),
  /** In the numbering of os.release(). */
  minimumSystemVersion: z.string().max(64).optional(),
});

export type Manifest = z.infer<typeof manifest>;
export type PackageFile = Manifest['files'][number];

/** electron-builder's name of the latest manifest for this system. Windows and macOS have one for all architectures. */
export function manifestName(platform: NodeJS.Platform, arch: string): string {
  if (platform !== 'linux') {
    return platform === 'darwin' ? 'latest-mac.yml' : 'latest.yml';
  }
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
}

/** Reads a manifest whose signature was good. Throws if it isn't a manifest. */
export function readManifest(bytes: Uint8Array): Manifest {
  if (!isUtf8(bytes)) {
    throw new TypeError('not UTF-8');
  }
  return manifest.parse(parse(Buffer.from(bytes).toString('utf8'), { schema: 'core', maxAliasCount: 0 }));
}
