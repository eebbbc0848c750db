import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { downloadGo, findGo } from './go.ts';

const inventoryApi = 'sigs.k8s.io/cluster-inventory-api@v0.1.3';

/** Of a CustomResourceDefinition what the tests change. */
export interface Crd {
  metadata: { name: string };
  spec: { versions: { name: string; served: boolean; storage: boolean }[] };
}

/** The community's CRD of ClusterProfiles, which has v1alpha1 alone. Needs Go, and its module proxy the first time. */
export async function clusterProfileCrd(): Promise<Crd> {
  const go = findGo();
  if (!go.ok) {
    throw new Error(go.why);
  }
  const folder = await downloadGo(go.path, inventoryApi);
  const file = join(folder, 'config', 'crd', 'bases', 'multicluster.x-k8s.io_clusterprofiles.yaml');
  return parse(readFileSync(file, 'utf8'));
}

/** The same with v1alpha2, of the same form, and `served` of the two. */
export function withVersions(crd: Crd, served: readonly string[]): Crd {
  const [first] = crd.spec.versions;
  if (!first) {
    throw new Error('the CRD has no version');
  }
  const version = (name: string, storage: boolean) => ({
    ...first,
    name,
    storage,
    served: served.includes(name),
  });
  return { ...crd, spec: { ...crd.spec, versions: [version('v1alpha1', true), version('v1alpha2', false)] } };
}
