import { Secret } from '../../base/secret.ts';
import type { KubeCluster, KubeUser, NamedFile } from '../../domain/import/kubeconfig.ts';
import { type Material, publicPem } from './material.ts';
import type { NamedContents } from './named-files.ts';
import type { ParsedCluster, ParsedUser } from './parsed-kubeconfig.ts';

/** The files that an entry names. */
export function pathsOf(entry: ParsedCluster | ParsedUser): string[] {
  const materials =
    'server' in entry ? [entry.certificateAuthority] : [entry.clientCertificate, entry.clientKey];
  const paths = materials.flatMap((material) => (material?.from === 'file' ? [material.path] : []));
  return 'server' in entry || entry.tokenFile === null ? paths : [...paths, entry.tokenFile];
}

export function clusterWithFiles(cluster: ParsedCluster, contents: NamedContents): KubeCluster {
  return { ...cluster, certificateAuthority: publicOf(cluster.certificateAuthority, contents) };
}

export function userWithFiles(user: ParsedUser, contents: NamedContents): KubeUser {
  return {
    ...user,
    tokenFile: user.tokenFile === null ? null : tokenFileOf(user.tokenFile, contents),
    clientCertificate: publicOf(user.clientCertificate, contents),
    clientKey: secretOf(user.clientKey, contents),
  };
}

function contentOf(material: Material, contents: NamedContents) {
  const [path, found] =
    material.from === 'data' ? [null, material.content] : [material.path, contents.get(material.path)];
  return { path, found: found ?? { ok: false as const, fault: 'it was not read' } };
}

function publicOf(material: Material | null, contents: NamedContents): KubeCluster['certificateAuthority'] {
  if (material === null) {
    return null;
  }
  const { path, found } = contentOf(material, contents);
  return found.ok ? { path, ok: true, pem: publicPem(found.content) } : { ...found, path };
}

function secretOf(material: Material | null, contents: NamedContents): KubeUser['clientKey'] {
  if (material === null) {
    return null;
  }
  const { path, found } = contentOf(material, contents);
  return found.ok ? { path, ok: true, pem: found.content } : { ...found, path };
}

/** As client-go's transport: without the white space around it; an empty file is a fault. */
function tokenFileOf(path: string, contents: NamedContents): NamedFile<Secret> {
  const found = contents.get(path) ?? { ok: false, fault: 'it was not read' };
  if (!found.ok) {
    return { path, ok: false, fault: found.fault };
  }
  const content = new Secret(found.content.reveal().trim());
  return content.isEmpty ? { path, ok: false, fault: `${path} is empty` } : { path, ok: true, content };
}
