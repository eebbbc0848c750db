import { listed } from '../doctor/check.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { DockerInstalled } from '../installed/docker/docker-configs.ts';
import type { ChosenRegistry } from '../installed/docker/plan-docker.ts';

export interface Installing {
  registries: readonly ChosenRegistry[];
  podman: boolean;
  /** helm’s file, whose logins in plain text stay there; null: it has none, or they move, too. */
  helm: string | null;
}

/** What stops working, or works otherwise, with this installation. Said before it is done. */
export function breaks(
  files: readonly DockerInstalled[],
  { registries, podman, helm }: Installing,
): string[] {
  const lines: string[] = [];
  if (files.some(({ plan }) => plan.logins.length > 0)) {
    lines.push('the nodes of kind, and other programs that read auths alone, find no password in the file');
  }
  for (const store of new Set(files.flatMap(({ plan }) => plan.wraps ?? []))) {
    const shown = visibleText(store, 200);
    lines.push(
      `the logins in the store ${shown} stay there: docker logout doesn’t remove them, and a docker build without BuildKit doesn’t find them`,
    );
  }
  const kept = registries.length > 0 ? [] : files.flatMap(({ plan, changes }) => (changes ? plan.keeps : []));
  if (kept.length > 0) {
    const podmans = podman ? '' : 'podman, buildah and skopeo fail at it without a login of their own; ';
    lines.push(
      `an empty helper in credHelpers has docker read the login of ${listed([...new Set(kept)].map((key) => visibleText(key, 200)))} from the file: ${podmans}oras and helm ask Lanyard`,
    );
  }
  const changes = files.some((each) => each.changes);
  if (changes && !podman) {
    lines.push(
      'podman, buildah and skopeo don’t read credsStore: lanyard docker install --podman sets them up',
    );
  }
  if (changes && helm !== null) {
    lines.push(
      `helm has logins in plain text in ${visibleText(helm)}: lanyard docker install --helm moves them`,
    );
  }
  if (podman) {
    lines.push(
      'podman, buildah and skopeo then ask Lanyard alone: they read no credHelpers and no other store of docker',
    );
  }
  for (const { key } of podman ? registries : []) {
    if (key.includes('//')) {
      lines.push(`podman can’t list logins while credHelpers names ${key}`);
    }
  }
  return lines;
}
