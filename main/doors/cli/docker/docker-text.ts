import { visibleText } from '../../../domain/text/visible-text.ts';
import type { DockerInstalled, DockerUndone } from '../../../installed/docker/docker-configs.ts';
import type { Asked } from '../../../installed/docker/plan-docker.ts';
import type { Placed } from '../../../installed/place.ts';
import type { Removal } from '../../../installed/remove-entry.ts';

/** One file in the form of docker’s config.json. */
export interface Edited {
  file: string;
  of: 'docker' | 'helm' | 'podman';
  asked: Asked;
}

/** What is done to it, or would be. */
export type FileInstalled = Edited & DockerInstalled;

export interface InstallReport {
  /** docker’s, then helm’s and podman’s if they were asked for. */
  files: readonly FileInstalled[];
  dryRun: boolean;
  podmanFile: string;
  podman: Placed | null;
}

export function installText({ files, dryRun, podmanFile, podman }: InstallReport): string {
  const lines = files.flatMap((each) => fileLines(each, dryRun));
  if (podman) {
    lines.push(podmanText(podman, visibleText(podmanFile), dryRun));
  }
  return lines.join('\n');
}

function fileLines({ file, of, asked, plan, changes }: FileInstalled, dryRun: boolean): string[] {
  const where = visibleText(file);
  const asks = dryRun ? 'Lanyard would ask' : 'Lanyard asks';
  return [
    changes ? `${dryRun ? 'would change' : 'changed'} ${where}` : `${where} needs no change`,
    ...plan.logins.map(
      ({ login }) =>
        `${dryRun ? 'would move' : 'moved'} the login of ${visibleText(login.serverUrl)} into the vault`,
    ),
    ...plan.left.map(
      ({ server, why }) =>
        `left ${visibleText(server)} in the file: ${why}${of === 'podman' ? '; podman no longer finds it' : ''}`,
    ),
    ...(of === 'helm' && asked === 'unchanged'
      ? ['credsStore stays unset there: helm goes on reading the logins that are left']
      : []),
    ...plan.others.map(
      ({ server, helper }) => `left ${visibleText(server)} with the helper ${visibleText(helper)}`,
    ),
    ...(plan.wraps === null ? [] : [`${asks} the store ${visibleText(plan.wraps)} where it has no login`]),
    ...plan.adopts.map(
      ({ registry, helper }) => `${asks} the helper ${visibleText(helper)} for ${visibleText(registry.key)}`,
    ),
  ];
}

function podmanText(podman: Placed, where: string, dryRun: boolean): string {
  switch (podman.kind) {
    case 'made':
      return `${dryRun ? 'would make' : 'made'} ${where}`;
    case 'replaced':
      return `${dryRun ? 'would replace' : 'replaced'} ${where}`;
    case 'present':
      return `${where} needs no change`;
    case 'left':
      return `left ${where}: ${visibleText(podman.what)}`;
  }
}

export interface DockerStatus {
  file: string;
  credsStore: string | null;
  credHelpers: Readonly<Record<string, string>>;
  plaintext: readonly string[];
  edited: boolean;
  changedSince: boolean;
  /** What other programs undid of Lanyard’s edit; null: nothing that counts. */
  undone: { text: string; command: string } | null;
  helper: string | null;
  podman: boolean;
  fallback: { account: string; helper: string } | null;
  /** `fault`: why it can’t be read, a sentence without its end; null: it can. */
  helm: {
    file: string;
    fault: string | null;
    credsStore: string | null;
    plaintext: readonly string[];
  } | null;
}

export function statusText(status: DockerStatus): string {
  const edited = status.edited
    ? `changed by Lanyard${status.changedSince ? ', and by others since' : ''}`
    : 'not changed by Lanyard';
  return [
    `${visibleText(status.file)}: ${edited}`,
    ...(status.undone === null ? [] : [status.undone.text, `to fix it: ${status.undone.command}`]),
    `credsStore: ${visibleText(status.credsStore ?? 'none')}`,
    ...Object.entries(status.credHelpers).map(([server, helper]) =>
      helper === ''
        ? `credHelpers: the login of ${visibleText(server)} is read from the file`
        : `credHelpers: ${visibleText(server)} asks ${visibleText(helper)}`,
    ),
    ...status.plaintext.map((server) => `in plain text: ${visibleText(server)}`),
    status.helper === null
      ? 'docker-credential-lanyard is not on your PATH'
      : `docker-credential-lanyard: ${visibleText(status.helper)}`,
    ...(status.fallback
      ? [
          `where Lanyard has no login: the helper ${status.fallback.helper} (account ${status.fallback.account})`,
        ]
      : []),
    `podman, buildah, skopeo: ${status.podman ? 'set up' : 'not set up'}`,
    ...(status.helm
      ? [
          status.helm.fault === null
            ? `helm: ${visibleText(status.helm.file)}, credsStore: ${visibleText(status.helm.credsStore ?? 'none')}`
            : `helm: ${visibleText(status.helm.fault)}`,
          ...status.helm.plaintext.map((server) => `helm has in plain text: ${visibleText(server)}`),
        ]
      : []),
  ].join('\n');
}

const undone: Readonly<Record<DockerUndone['how'], string>> = {
  restored: 'is as it was before',
  removed: 'is removed: there was none before',
  takenBack: 'isn’t as Lanyard wrote it: only Lanyard’s keys were taken out',
  gone: 'is gone already',
  asBefore: 'was as before already',
};

export function undoText({
  undone: files,
  podmanFile,
  podman,
  fallback,
}: {
  undone: readonly (DockerUndone & { file: string })[];
  podmanFile: string;
  podman: Removal | null;
  fallback: { account: string } | null;
}): string {
  const lines = files.map(({ file, how }) => `${visibleText(file)} ${undone[how]}`);
  if (files.length > 0) {
    lines.push('Stored logins stay in the vault.');
  }
  if (fallback && files.length > 0) {
    lines.push(`The account ${fallback.account} stays, too: lanyard account remove ${fallback.account}`);
  }
  if (podman) {
    const where = visibleText(podmanFile);
    lines.push(
      podman.kind === 'left' || podman.kind === 'failed'
        ? `left ${where}: ${podman.what}`
        : `removed ${where}`,
    );
  }
  return lines.join('\n');
}
