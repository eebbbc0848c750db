import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Cargo } from '../cargo.ts';
import { type BundledPackage, licenceText, readPackage } from './licences-of-bundle.ts';
import { architecturesOf, rustTarget, type Target } from './target.ts';

/** Something of others that a package holds. */
export interface Part {
  kind: 'npm' | 'cargo' | 'generic';
  name: string;
  /** Null: it isn't known here. */
  version: string | null;
  /** An SPDX expression. */
  licence: string | null;
  /** The licence's text; null: it lies beside it, or there is none. */
  text: string | null;
  /** What of a package holds it. */
  in: readonly ('app' | 'pages' | 'helper' | 'proxy' | 'keys' | 'addon' | 'shell')[];
}

export interface PartsListDeps {
  root: string;
  cargo: Pick<Cargo, 'metadata'>;
  target: Target;
  /** Of the Electron that is packaged, as it says itself: `chrome`, `node`; empty: it can't be asked here. */
  shellVersions: Readonly<Record<string, string | undefined>>;
}

/** All that a package holds of others, from what the builds really took in: not from what package.json names. */
export function listParts({ root, cargo, target, shellVersions }: PartsListDeps): Part[] {
  const bundled = (folder: string, where: 'app' | 'pages') =>
    (JSON.parse(readFileSync(join(root, 'dist', folder, 'licenses.json'), 'utf8')) as BundledPackage[]).map(
      (each) => npmPart(each, where),
    );
  const crates = architecturesOf(target).flatMap((architecture) =>
    cratesOf(cargo.metadata(rustTarget(target.platform, architecture))),
  );
  const electron = readPackage(join(root, 'node_modules', 'electron'));
  return merged([
    ...bundled('app', 'app'),
    ...bundled('renderer', 'pages'),
    npmPart(readPackage(join(root, 'node_modules', 'keytar')), 'app'),
    ...crates,
    { ...npmPart(electron, 'shell'), text: null },
    shellPart('chromium', 'BSD-3-Clause', shellVersions['chrome']),
    shellPart('node', 'MIT', shellVersions['node']),
  ]);
}

function npmPart({ name, version, identifier, text }: BundledPackage, where: Part['in'][number]): Part {
  return { kind: 'npm', name, version, licence: identifier, text: text ?? null, in: [where] };
}

/** Its licences' texts are in LICENSES.chromium.html, which comes with it. */
function shellPart(name: string, licence: string, version: string | undefined): Part {
  return { kind: 'generic', name, version: version ?? null, licence, text: null, in: ['shell'] };
}

const metadataSchema = z.object({
  packages: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      version: z.string(),
      license: z.string().nullable(),
      manifest_path: z.string(),
      source: z.string().nullable(),
      targets: z.array(z.object({ kind: z.array(z.string()) })),
    }),
  ),
  resolve: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        deps: z.array(
          z.object({ pkg: z.string(), dep_kinds: z.array(z.object({ kind: z.string().nullable() })) }),
        ),
      }),
    ),
  }),
});

/** The workspace's crates that a package holds, by where they are in it. */
const ownCrates = {
  helper: 'lanyard-helper',
  proxy: 'lanyard-proxy',
  keys: 'lanyard-keys',
  addon: 'lanyard-native',
} as const;

/** The crates that are linked into our programs and the addon: no build scripts' or tests' own, no macros. */
function cratesOf(metadata: string): Part[] {
  const { packages, resolve } = metadataSchema.parse(JSON.parse(metadata));
  const packageOf = new Map(packages.map((each) => [each.id, each]));
  const depsOf = new Map(resolve.nodes.map((each) => [each.id, each.deps]));
  const reach = (id: string, found: Set<string>): Set<string> => {
    for (const { pkg, dep_kinds } of depsOf.get(id) ?? []) {
      const isMacro = packageOf.get(pkg)?.targets.some(({ kind }) => kind.includes('proc-macro'));
      if (!isMacro && !found.has(pkg) && dep_kinds.some(({ kind }) => kind === null)) {
        found.add(pkg);
        reach(pkg, found);
      }
    }
    return found;
  };
  return (['helper', 'proxy', 'keys', 'addon'] as const).flatMap((where) => {
    const name = ownCrates[where];
    const own = packages.find((each) => each.name === name && each.source === null);
    if (own === undefined) throw new Error(`cargo metadata names no ${name}`);
    return [...reach(own.id, new Set())].flatMap((id) => {
      const crate = packageOf.get(id);
      return crate === undefined
        ? []
        : [
            {
              kind: 'cargo' as const,
              name: crate.name,
              version: crate.version,
              licence: crate.license,
              text: licenceText(dirname(crate.manifest_path)),
              in: [where],
            },
          ];
    });
  });
}

/** Each once, with all that holds it, in an order that doesn't depend on the builds. */
function merged(parts: readonly Part[]): Part[] {
  const found = new Map<string, Part>();
  for (const part of parts) {
    const key = `${part.kind} ${part.name} ${part.version}`;
    const before = found.get(key);
    found.set(key, before ? { ...before, in: [...new Set([...before.in, ...part.in])] } : part);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}
