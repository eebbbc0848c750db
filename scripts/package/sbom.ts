import { createHash } from 'node:crypto';
import type { Part } from './parts-list.ts';

export interface SbomInput {
  version: string;
  parts: readonly Part[];
  /** Milliseconds since 1970. */
  madeAt: number;
}

/** A software bill of materials: CycloneDX 1.6, in JSON. The same parts give the same serial number. */
export function sbom({ version, parts, madeAt }: SbomInput): object {
  const components = parts.map(component);
  const digest = createHash('sha256')
    .update(JSON.stringify([version, components]))
    .digest('hex');
  const own = `pkg:generic/lanyard@${version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      timestamp: new Date(madeAt).toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'lanyard',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        purl: own,
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((each) => each['bom-ref']) }],
  };
}

function component(part: Part) {
  const purl = purlOf(part);
  return {
    type: part.kind === 'generic' ? 'framework' : 'library',
    'bom-ref': purl,
    name: part.name,
    ...(part.version !== null && { version: part.version }),
    ...(part.licence !== null && { licenses: [{ expression: spdx(part.licence) }] }),
    purl,
    properties: part.in.map((where) => ({ name: 'lanyard:in', value: where })),
  };
}

/** A scope's at sign is written `%40` (package-url, "npm"). */
function purlOf({ kind, name, version }: Part): string {
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `pkg:${kind}/${path}${version === null ? '' : `@${encodeURIComponent(version)}`}`;
}

/** Older crates write `MIT/Apache-2.0`. */
function spdx(licence: string): string {
  return licence.replaceAll(/\s*\/\s*/g, ' OR ');
}

/** Version 8 of RFC 9562: bits of one's own choice. */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
