import { visibleText } from '../../../domain/text/visible-text.ts';
import type { DockerInstalled, DockerUndone } from '../../../installed/docker/docker-configs.ts';
import type { Placed } from '../../../installed/place.ts';
import type { Removal } from '../../../installed/remove-entry.ts';

export interface InstallReport {
  file: string;
  dryRun: boolean;
  installed: DockerInstalled;
  podmanFile: string;
  podman: Placed | null;
}

export function installText({ file, dryRun, installed, podmanFile, podman }: InstallReport): string {
  const { plan, changes } = installed;
  const where = visibleText(file);
  const lines = [
    changes ? `${dryRun ? 'would change' : 'changed'} ${where}` : `${where} needs no change`,
    ...plan.logins.map(
      ({ login }) =>
        `${dryRun ? 'would move' : 'moved'} the login of ${visibleText(login.serverUrl)} into the vault`,
    ),
    ...plan.left.map(({ server, why }) => `left ${visibleText(server)} in the file: ${why}`),
    ...plan.others.map(
      ({ server, helper }) => `left ${visibleText(server)} with the helper ${visibleText(helper)}`,
    ),
  ];
  if (podman) {
    lines.push(podmanText(podman, visibleText(podmanFile), dryRun));
  }
  return lines.join('\n');
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
  helper: string | null;
  podman: boolean;
}

export function statusText(status: DockerStatus): string {
  const edited = status.edited
    ? `changed by Lanyard${status.changedSince ? ', and by others since' : ''}`
    : 'not changed by Lanyard';
  return [
    `${visibleText(status.file)}: ${edited}`,
    `credsStore: ${visibleText(status.credsStore ?? 'none')}`,
    ...Object.entries(status.credHelpers).map(
      ([server, helper]) => `credHelpers: ${visibleText(server)} asks ${visibleText(helper)}`,
    ),
    ...status.plaintext.map((server) => `in plain text: ${visibleText(server)}`),
    status.helper === null
      ? 'docker-credential-lanyard is not on your PATH'
      : `docker-credential-lanyard: ${visibleText(status.helper)}`,
    `podman, buildah, skopeo: ${status.podman ? 'set up' : 'not set up'}`,
  ].join('\n');
}

const undone: Readonly<Record<DockerUndone['how'], string>> = {
  restored: 'is as it was before',
  removed: 'is removed: there was none before',
  takenBack: 'was changed since: only Lanyard’s keys were taken out',
  gone: 'is gone already',
  asBefore: 'was as before already',
};

export function undoText(report: {
  file: string;
  config: DockerUndone | null;
  podmanFile: string;
  podman: Removal | null;
}): string {
  const { file, config, podmanFile, podman } = report;
  const lines: string[] = [];
  if (config) {
    lines.push(`${visibleText(file)} ${undone[config.how]}`);
    lines.push('Stored logins stay in the vault.');
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
