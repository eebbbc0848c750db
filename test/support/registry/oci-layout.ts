import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes an image of one empty layer as an OCI image layout, with the tag `v1`. `text`: makes it another image. */
export function writeOciLayout(folder: string, text: string): void {
  const blobs = join(folder, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (mediaType: string, content: string | Uint8Array) => {
    const hex = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, hex), content);
    return { mediaType, digest: `sha256:${hex}`, size: Buffer.byteLength(content) };
  };
  // Two blocks of zeros are a tar archive without files.
  const layer = blob('application/vnd.oci.image.layer.v1.tar', new Uint8Array(1024));
  const config = blob(
    'application/vnd.oci.image.config.v1+json',
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: { Labels: { text } },
      rootfs: { type: 'layers', diff_ids: [layer.digest] },
    }),
  );
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = blob(mediaType, JSON.stringify({ schemaVersion: 2, mediaType, config, layers: [layer] }));
  const annotations = { 'org.opencontainers.image.ref.name': 'v1' };
  writeFileSync(
    join(folder, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }),
  );
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}
