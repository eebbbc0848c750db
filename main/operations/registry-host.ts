import { type Refusal, refuse } from '../contract/refusal.ts';
import { parseImageName } from '../domain/image/image-name.ts';
import type { LoadedRegistry } from '../domain/loaded-config.ts';
import type { Directory } from '../ports/broker-core.ts';
import { imageOf } from './image-name.ts';

/** Where a registry’s login is tested. */
export interface TestedPlace {
  /** As images name it, with its port. */
  host: string;
  /** What a credential is asked for: the image with its registry, or the host alone. */
  asked: string;
  /** Null: the login alone is tested. */
  image: { path: string; reference: string } | null;
  /** The caller chose the host, among those that a pattern with a wildcard covers. */
  isChosen: boolean;
  /** The patterns cover no other host. */
  isOnly: boolean;
}

/**
 * Where a registry’s credential is to be tested: the host of its patterns, or that of an image which gets it. The
 * credential goes to no other host. A refusal where that isn’t one host, or the image gets another credential.
 */
export function testedPlace(
  { name, config }: LoadedRegistry,
  text: string | null,
  directory: Pick<Directory, 'registryFor'>,
): { ok: true; place: TestedPlace } | Refusal {
  const hosts = [...new Set(config.matchImages.map((pattern) => pattern.split('/', 1)[0] ?? ''))];
  if (text === null) {
    const [host = ''] = hosts;
    return hosts.length === 1 && !host.includes('*')
      ? { ok: true, place: { host, asked: host, image: null, isChosen: false, isOnly: true } }
      : refuse(
          'usage',
          'registry.manyHosts',
          `the patterns of ${name} cover more than one host`,
          `name one of their images: lanyard registry test ${name} IMAGE`,
        );
  }
  const named = imageOf(text);
  const parsed = parseImageName(text);
  if (!named.ok || !parsed.ok) {
    return named.ok ? refuse('internal', 'image.name', 'the image has no name') : named;
  }
  const { name: asked, tag, digest } = parsed.image;
  const found = directory.registryFor(asked, config.calledAs ?? null, true);
  if (!found.ok) {
    return found;
  }
  if (found.match?.registry.name !== name) {
    const other = found.match
      ? `the credential of the registry ${found.match.registry.name}`
      : 'no credential';
    return refuse(
      'notFound',
      'registry.otherImage',
      `${asked} gets ${other}, not that of ${name}`,
      `see why: lanyard image why ${asked}`,
    );
  }
  const [host = '', ...rest] = asked.split('/');
  return {
    ok: true,
    place: {
      host,
      asked,
      image: { path: rest.join('/'), reference: digest === '' ? tag : digest },
      isChosen: !hosts.includes(host),
      isOnly: hosts.length === 1 && hosts[0] === host,
    },
  };
}
