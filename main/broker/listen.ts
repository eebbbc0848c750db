import type { Disposables } from '../base/disposables.ts';
import { createCliDoor } from '../doors/cli/index.ts';
import { requestedBy } from '../doors/cli/requested-by.ts';
import { configRegistries } from '../doors/docker/config-registries.ts';
import { createFallbackStore } from '../doors/docker/fallback-store.ts';
import { createDockerDoor } from '../doors/docker/index.ts';
import { createImageDoor } from '../doors/image/index.ts';
import { createControllerDoor } from '../doors/kube/controller-door.ts';
import { createKubeDoor } from '../doors/kube/index.ts';
import { serve } from '../platform/socket/server.ts';
import type { Door } from '../ports/door.ts';
import type { Areas } from './areas.ts';
import { createCliCommands } from './commands/index.ts';
import type { Pages } from './pages.ts';

/** Opens the doors: listens on the local socket when the promise resolves. */
export async function listen(areas: Areas, pages: Pages, disposables: Disposables): Promise<void> {
  const { listener, vault, clock, log, identity, version } = areas.deps;
  const { directory, grants } = areas.credentials;
  const { destination, approvals, unknownServers } = areas.consent;
  const { recorder } = areas.records;
  const { gate, idleLock } = areas.locking;
  const proxy = areas.requestProxy;
  const kube = createKubeDoor({
    directory,
    destination,
    approvals,
    unknownServers,
    grants,
    recorder,
    clock,
    gate,
    proxy,
  });
  const cli = createCliDoor(createCliCommands(areas, pages), log);
  const issuing = { directory, approvals, grants, recorder, clock, gate };
  const controller = createControllerDoor({ ...issuing, destination, proxy });
  const docker = createDockerDoor({
    vault,
    configured: configRegistries(issuing),
    fallback: createFallbackStore(issuing),
    gate,
    recorder,
  });
  const image = createImageDoor(issuing);
  const doors = new Map<string, Door>([
    ['kube', idleLock.guard(kube, () => 'program')],
    ['controller', idleLock.guard(controller, () => 'program')],
    ['image', idleLock.guard(image, () => 'program')],
    ['docker', idleLock.guard(docker, () => 'program')],
    ['cli', idleLock.guard(cli, requestedBy)],
  ]);
  disposables.add(await serve({ listener, clock, log, identity, doors, brokerVersion: version }));
}
