import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createCargo } from '../../../scripts/cargo.ts';
import { notices } from '../../../scripts/package/notices.ts';
import { listParts, type Part } from '../../../scripts/package/parts-list.ts';
import { sbom } from '../../../scripts/package/sbom.ts';
import type { Target } from '../../../scripts/package/target.ts';
import { assertBuilt } from '../../support/built.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** What CycloneDX 1.6 demands of what is written here. */
const component = z.strictObject({
  type: z.enum(['application', 'framework', 'library']),
  'bom-ref': z.string().min(1),
  name: z.string().min(1),
  version: z.string().min(1).optional(),
  licenses: z
    .array(
      z.union([
        z.strictObject({ license: z.strictObject({ id: z.string() }) }),
        z.strictObject({ expression: z.string().regex(/^[\w.+()-]+( (AND|OR|WITH) [\w.+()-]+)*$/) }),
      ]),
    )
    .max(1)
    .optional(),
  purl: z.string().regex(/^pkg:(npm|cargo|generic)\/[\w.%~/-]+(@[\w.%~+-]+)?$/),
  properties: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
});
const bill = z.strictObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  version: z.int().positive(),
  metadata: z.strictObject({ timestamp: z.iso.datetime(), component }),
  components: z.array(component),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

describe('the list of parts', () => {
  let parts: Part[];

  beforeAll(() => {
    assertBuilt();
    const target: Target = {
      platform: process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux',
      architecture: process.arch === 'arm64' ? 'arm64' : 'x64',
    };
    parts = listParts({ root, cargo: createCargo(root), target, shellVersions: { chrome: '1.2.3.4' } });
  });

  const has = (kind: Part['kind'], name: string) =>
    parts.find((each) => each.kind === kind && each.name === name);

  it('names what is in the bundles, the programs and the shell', () => {
    expect(has('npm', 'zod')?.in).toEqual(['app', 'pages']);
    expect(has('npm', 'react')?.in).toEqual(['pages']);
    expect(has('npm', 'keytar')?.in).toEqual(['app']);
    expect(has('cargo', 'serde_json')?.in).toContain('helper');
    expect(has('cargo', 'serde')?.licence).toBe('MIT OR Apache-2.0');
    expect(has('cargo', 'napi')?.in).toEqual(['addon']);
    expect(has('cargo', 'rustls')?.in).toEqual(['proxy']);
    expect(has('cargo', 'hyper')?.in).toEqual(['proxy']);
    expect(has('cargo', 'cryptoki')?.in).toEqual(['keys']);
    expect(has('cargo', 'serde_json')?.in).toContain('proxy');
    expect(has('npm', 'electron')?.in).toEqual(['shell']);
    expect(has('generic', 'chromium')?.version).toBe('1.2.3.4');
  });

  it.each([
    ['npm', 'vitest'],
    ['npm', 'electron-builder'],
    ['npm', 'typescript'],
    ['npm', 'oidc-provider'],
    // Run as the helper is built, and not in it.
    ['cargo', 'serde_derive'],
    ['cargo', 'napi-build'],
    ['cargo', 'syn'],
    // Builds ring’s C and assembly.
    ['cargo', 'cc'],
  ] as const)('leaves out what only builds or tests: %s %s', (kind, name) => {
    expect(has(kind, name)).toBeUndefined();
  });

  it('is a bill of materials that names each part once', () => {
    const made = bill.parse(sbom({ version: '1.2.3', parts, madeAt: 0 }));
    const refs = made.components.map((each) => each['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(made.dependencies[0]?.dependsOn).toEqual(refs);
    expect(refs).toContain(
      'pkg:npm/%40base-ui/react@1.9.0'.replace('1.9.0', has('npm', '@base-ui/react')?.version ?? ''),
    );
  });

  it('has the same serial number for the same parts, and another for others', () => {
    const numberOf = (version: string) =>
      bill.parse(sbom({ version, parts, madeAt: Date.now() })).serialNumber;
    expect(numberOf('1.2.3')).toBe(numberOf('1.2.3'));
    expect(numberOf('1.2.3')).not.toBe(numberOf('1.2.4'));
  });

  it('passes on the licences’ texts', () => {
    const text = notices(parts);
    for (const words of [
      'Meta Platforms',
      'Colin McDonnell',
      'serde_json',
      'ring',
      'Permission is hereby granted',
    ]) {
      expect(text).toContain(words);
    }
  });
});
