import { expect, it } from 'vitest';
import { parseServer } from './registry-server.ts';

const keyOf = (text: string) => {
  const parsed = parseServer(text);
  return parsed.ok ? parsed.server.key : parsed.message;
};

it.each([
  // Docker Hub has one entry, whoever asks; docker’s web login has two more of its own.
  ['https://index.docker.io/v1/', 'docker.io'],
  ['docker.io', 'docker.io'],
  ['index.docker.io', 'docker.io'],
  ['registry-1.docker.io', 'docker.io'],
  ['https://registry-1.docker.io/v2/', 'docker.io'],
  ['HTTPS://Index.Docker.IO/v1', 'docker.io'],
  ['https://index.docker.io/v1/access-token', 'index.docker.io/v1/access-token'],
  ['https://index.docker.io/v1/refresh-token', 'index.docker.io/v1/refresh-token'],
  ['http://index.docker.io/v1/', 'http://index.docker.io/v1'],
  ['docker.io:5000', 'docker.io:5000'],
  ['docker.io/library', 'docker.io/library'],
  ['registry.docker.io', 'registry.docker.io'],
  // Scheme, case, query and the last slash make no other server.
  ['ghcr.io', 'ghcr.io'],
  ['https://ghcr.io', 'ghcr.io'],
  ['https://GHCR.io/', 'ghcr.io'],
  ['//ghcr.io', 'ghcr.io'],
  ['https://ghcr.io?service=x', 'ghcr.io'],
  ['https://ghcr.io/#x', 'ghcr.io'],
  // http, a port and a path do.
  ['http://ghcr.io', 'http://ghcr.io'],
  ['ghcr.io:443', 'ghcr.io:443'],
  ['localhost:5000', 'localhost:5000'],
  ['localhost:05000', 'localhost:5000'],
  ['https://gcr.io/v2/', 'gcr.io/v2'],
  ['quay.io/Org/Team', 'quay.io/Org/Team'],
  ['quay.io/a//b?x/', 'quay.io/a//b'],
  ['my_registry:5000', 'my_registry:5000'],
  ['constructor', 'constructor'],
  ['[::1]:5000', '[::1]:5000'],
  ['[0:0:0:0:0:0:0:1]', '[::1]'],
  ['https://[FE80::1]/x', '[fe80::1]/x'],
])('%s is the server %s', (text, key) => {
  expect(keyOf(text)).toBe(key);
});

it.each([
  ['https://alice:secret@ghcr.io', 'the server URL has a user name or a password in it'],
  ['alice@ghcr.io', 'the server URL has a user name or a password in it'],
  ['ghcr.io/a b', 'the server URL has characters that no URL has'],
  ['ghcr.io\u0000', 'the server URL has characters that no URL has'],
  ['ghcr.io\u001b[2J', 'the server URL has characters that no URL has'],
  ['ghcr\u202eoi', 'the server URL has characters that no URL has'],
  ['gһcr.io', 'the server URL has characters that no URL has'],
  ['ftp://ghcr.io', 'the server URL has the scheme ftp: only https and http are supported'],
  ['oci://ghcr.io', 'the server URL has the scheme oci: only https and http are supported'],
  ['/ghcr.io', 'the server URL names no host'],
  ['https:///v1', 'the server URL names no host'],
  ['https://', 'the server URL names no host'],
  ['..', 'the server URL names no host'],
  ['__proto__', 'the server URL names no host'],
  ['[::1', 'the server URL names no host'],
  ['[no]:5000', 'the server URL names no host'],
  ['[::1]x', 'the server URL names no host'],
  ['a'.repeat(254), 'the server URL names no host'],
  ['ghcr.io:', 'the server URL has a port that is no number from 1 to 65535'],
  ['ghcr.io:0', 'the server URL has a port that is no number from 1 to 65535'],
  ['ghcr.io:65536', 'the server URL has a port that is no number from 1 to 65535'],
  ['ghcr.io:80:80', 'the server URL has a port that is no number from 1 to 65535'],
  [`ghcr.io/${'a'.repeat(2048)}`, 'the server URL is longer than 2048 characters'],
])('%j is refused', (text, message) => {
  expect(keyOf(text)).toBe(message);
});

it('tells scheme, host, port and path apart', () => {
  expect(parseServer('HTTP://Registry.Example.com:5000/a/B/')).toEqual({
    ok: true,
    server: {
      scheme: 'http',
      host: 'registry.example.com',
      port: 5000,
      path: '/a/B',
      key: 'http://registry.example.com:5000/a/B',
    },
  });
});
