import { goQuote } from '../decode/go-quote.ts';

/** An image as the kubelet asks for it. */
export interface ImageName {
  /** With registry and path, without tag and digest: `docker.io/library/nginx`. */
  name: string;
  /** `latest` where the image has neither tag nor digest; empty where it has a digest alone. */
  tag: string;
  /** Empty: none. */
  digest: string;
}

export type ParsedImageName = { ok: true; image: ImageName } | { ok: false; message: string };

/**
 * Parses an image as the kubelet does before it asks a provider, with its errors: ParseImageName of
 * k8s.io/kubernetes/pkg/util/parsers, which is github.com/distribution/reference 0.6 (a name without a registry is of
 * Docker Hub, and `index.docker.io` becomes `docker.io`).
 */
export function parseImageName(image: string): ParsedImageName {
  const parsed = parseNormalised(image);
  return parsed.ok
    ? parsed
    : { ok: false, message: `couldn't parse image name ${goQuote(image)}: ${parsed.message}` };
}

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const path = `${component}(?:/${component})*`;
const tag = '[\\w][\\w.-]{0,127}';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(
  `^(?<name>(?:${domain}/)?${path})(?::(?<tag>${tag}))?(?:@(?<digest>${digest}))?$`,
);
const domainAndPath = new RegExp(`^(?:${domain}/)?(?<path>${path})$`);

const identifier = /^[a-f0-9]{64}$/;
const mostOfPath = 255;

function parseNormalised(image: string): ParsedImageName {
  if (identifier.test(image)) {
    return wrong(`invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`);
  }
  const [registry, remainder] = splitDomain(image);
  const [repository = ''] = remainder.split(':', 1);
  if (repository.toLowerCase() !== repository) {
    return wrong(`invalid reference format: repository name (${repository}) must be lowercase`);
  }
  return parseReference(`${registry}/${remainder}`);
}

function splitDomain(image: string): [domain: string, remainder: string] {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const rest = image.slice(slash + 1);
  const isDomain =
    slash >= 0 && (first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first);
  if (!isDomain || first === 'docker.io' || first === 'index.docker.io') {
    const remainder = isDomain ? rest : image;
    return ['docker.io', remainder.includes('/') ? remainder : `library/${remainder}`];
  }
  return [first, rest];
}

function parseReference(text: string): ParsedImageName {
  const found = reference.exec(text)?.groups;
  if (!found) {
    const isLower = reference.test(text.toLowerCase());
    return wrong(isLower ? 'repository name must be lowercase' : 'invalid reference format');
  }
  const name = found['name'] ?? '';
  if ((domainAndPath.exec(name)?.groups?.['path'] ?? '').length > mostOfPath) {
    return wrong(`repository name must not be more than ${mostOfPath} characters`);
  }
  const sum = found['digest'] ?? '';
  const fault = sum === '' ? null : digestFault(sum);
  const said = found['tag'] ?? '';
  return fault === null
    ? { ok: true, image: { name, tag: said === '' && sum === '' ? 'latest' : said, digest: sum } }
    : wrong(fault);
}

const lengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/** As github.com/opencontainers/go-digest 1.0. */
function digestFault(text: string): string | null {
  const [algorithm = '', encoded = ''] = text.split(':');
  const length = Object.hasOwn(lengths, algorithm) ? lengths[algorithm] : undefined;
  if (length === undefined) {
    return /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*$/.test(algorithm)
      ? 'unsupported digest algorithm'
      : 'invalid checksum digest format';
  }
  if (encoded.length !== length) {
    return 'invalid checksum digest length';
  }
  return /^[a-f0-9]+$/.test(encoded) ? null : 'invalid checksum digest format';
}

function wrong(message: string): ParsedImageName {
  return { ok: false, message };
}
