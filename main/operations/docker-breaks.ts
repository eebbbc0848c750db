import type { DockerInstalled } from '../installed/docker/docker-configs.ts';
import type { ChosenRegistry } from '../installed/docker/plan-docker.ts';

/** What stops working, or works otherwise, with this installation. Said before it is done. */
export function breaks(
  { plan, changes }: DockerInstalled,
  { registries, podman }: { registries: readonly ChosenRegistry[]; podman: boolean },
): string[] {
  const lines: string[] = [];
  if (plan.logins.length > 0) {
    lines.push('the nodes of kind, and other programs that read auths alone, find no password in the file');
  }
  if (changes && !podman) {
    lines.push(
      'podman, buildah and skopeo don’t read credsStore: lanyard docker install --podman sets them up',
    );
  }
  for (const { key } of podman ? registries : []) {
    if (key.includes('//')) {
      lines.push(`podman can’t list logins while credHelpers names ${key}`);
    }
  }
  return lines;
}
