import type { RegistryView } from '../../../main/contract/ui/state.ts';
import { type SampleCall, SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import { minutes } from '../spans.ts';

type World = SampleCall<'registry.why'>['world'];

export const registrySample = {
  'registry.why': ({ image: text }, { world }) => {
    const image = imageOf(text);
    const host = image.split('/')[0] ?? '';
    const all = world
      .list('registries')
      .flatMap((registry) =>
        registry.matchImages.map((pattern) => ({ registry, pattern, why: whyNot(pattern, image, host) })),
      );
    const chosen = all.find(({ registry, why }) => why === '' && registry.calledAs === null);
    return {
      image,
      chosen: chosen
        ? { registry: chosen.registry.name, account: chosen.registry.account, pattern: chosen.pattern }
        : null,
      problem: chosen?.registry.state === 'held' ? `${chosen.registry.name} is pending approval` : null,
      patterns: all.map((each) => ({
        registry: each.registry.name,
        pattern: each.pattern,
        account: each.registry.account,
        matches: each.why === '',
        chosen: each === chosen,
        why:
          each.why === '' && each.registry.calledAs !== null
            ? `only for docker-credential-lanyard-${each.registry.calledAs}`
            : each.why,
      })),
    };
  },
  'registry.test': async ({ registry: name, image }, { world, wait }) => {
    await wait(400);
    const { state, account, credential, problem, userName, matchImages } = registryOf(world, name);
    const host = (image ?? matchImages[0] ?? '').split('/')[0];
    return state === 'ready' && credential
      ? {
          credential: { userName: userName ?? account, expiresAt: credential.expiresAt },
          nothing: null,
          notForKubelets: null,
          answer: {
            outcome: 'accepted',
            message: `${host} accepts the credential of ${account}${image === null ? '' : `, and lets it pull ${image}`}`,
            hint: null,
          },
        }
      : {
          credential: null,
          nothing: {
            message: problem ?? `${account} has no credential`,
            hint: `check the account ${account}`,
          },
          notForKubelets: null,
          answer: null,
        };
  },
  'registry.lastCalls': ({ registry: name, most }, { world }) => {
    const { lastCall } = registryOf(world, name);
    const calls = lastCall
      ? Array.from({ length: 4 }, (_, index) => ({
          ...lastCall,
          class: 'handedOut' as const,
          id: index + 1,
          pid: 41_000 + index,
          at: lastCall.at - index * minutes(17),
        }))
      : [];
    return { calls: calls.slice(0, most) };
  },
} satisfies SomeHandlers;

function registryOf(world: World, name: string): RegistryView {
  const found = world.get('registries', name);
  if (!found) {
    throw new SampleRefusal(`there is no registry named ${name}`);
  }
  return found;
}

function imageOf(text: string): string {
  const name = text
    .trim()
    .replace(/@.*$/, '')
    .replace(/:[^:/]*$/, '');
  return /^[^/]*[.:]/.test(name) && name.includes('/')
    ? name
    : `docker.io/${name.includes('/') ? '' : 'library/'}${name}`;
}

function whyNot(pattern: string, image: string, host: string): string {
  const [patternHost = '', ...path] = pattern.split('/');
  const [labels, own] = [patternHost.split('.'), host.split('.')];
  if (labels.length !== own.length) {
    return `its host has ${labels.length} parts, the image’s has ${own.length}`;
  }
  if (!labels.every((label, index) => label === '*' || label === own[index])) {
    return 'it is for another host';
  }
  return image.startsWith([host, ...path].join('/')) ? '' : 'it is for another path';
}
