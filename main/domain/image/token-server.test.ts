import { expect, test } from 'vitest';
import { type RegistryOrigin, registryOrigin } from './registry-origin.ts';
import { judgeRealm } from './token-server.ts';

function origin(host: string): RegistryOrigin {
  return registryOrigin(host) ?? expect.unreachable(host);
}

/** (rule: realm-trust) */
test.each<[registry: string, realm: string, approved: string[], checksAddress: boolean]>([
  ['ghcr.io', 'https://ghcr.io/token', [], false],
  ['GHCR.IO', 'https://ghcr.io:443/token', [], false],
  ['registry.example.com:5000', 'https://registry.example.com:5000/token', [], false],
  // As GitLab has it.
  ['gitlab.example.com:5050', 'https://gitlab.example.com/jwt/auth', [], true],
  ['registry.gitlab.com', 'https://gitlab.com/jwt/auth', [], true],
  ['docker.io', 'https://auth.docker.io/token', [], true],
  ['docker.io', 'https://registry-1.docker.io/token', [], false],
  ['registry.example.com', 'https://auth.example.com/token', ['auth.example.com'], true],
  ['registry.example.com', 'https://auth.example.com:8443/token', ['auth.example.com:8443'], true],
  ['registry.example.com', 'https://AUTH.example.com/token', ['auth.example.com:443'], true],
  ['registry.example.com', 'https://10.1.2.3/token', ['10.1.2.3'], true],
  ['localhost:5000', 'http://localhost:5000/token', [], false],
  ['localhost:5000', 'http://127.0.0.1:5001/token', ['127.0.0.1:5001'], false],
  ['[::1]:5000', 'http://[::1]:5001/token', ['[::1]:5001'], false],
  ['127.0.0.1:5000', 'https://auth.example.com/token', ['auth.example.com'], false],
])('%s may send to %s with %j', (registry, realm, approved, checkAddress) => {
  const judged = judgeRealm(realm, origin(registry), approved);
  expect(judged).toMatchObject({ ok: true, checkAddress });
});

const remote = 'registry.example.com';

test.each<[registry: string, realm: string, approved: string[], fault: string]>([
  [remote, '', [], 'notUrl'],
  [remote, '/token', [], 'notUrl'],
  [remote, 'ftp://registry.example.com/', [], 'notUrl'],
  [remote, 'file:///etc/passwd', [], 'notUrl'],
  [remote, 'https://registry.example.com/a b', [], 'notUrl'],
  [remote, 'https://registry.example.com/\r\nX-Header: 1', [], 'notUrl'],
  [remote, 'https://régistry.example.com/', [], 'notUrl'],
  [remote, `https://registry.example.com/${'a'.repeat(2048)}`, [], 'notUrl'],
  [remote, 'https://registry.example.com@auth.evil.example/', [], 'userInfo'],
  [remote, 'https://a:b@registry.example.com/', [], 'userInfo'],
  [remote, 'http://registry.example.com/token', [], 'http'],
  [remote, 'http://127.0.0.1/token', ['127.0.0.1:80'], 'http'],
  ['localhost:5000', 'http://auth.example.com/token', ['auth.example.com:80'], 'http'],
  [remote, 'https://127.0.0.1/token', ['127.0.0.1'], 'closedAddress'],
  [remote, 'https://2130706433/token', ['127.0.0.1'], 'closedAddress'],
  [remote, 'https://0x7f.1/token', [], 'closedAddress'],
  [remote, 'https://localhost/token', ['localhost'], 'closedAddress'],
  [remote, 'https://localhost./token', [], 'closedAddress'],
  [remote, 'https://x.localhost/token', ['x.localhost'], 'closedAddress'],
  [remote, 'https://169.254.169.254/latest/meta-data', ['169.254.169.254'], 'closedAddress'],
  [remote, 'https://[::ffff:169.254.169.254]/', [], 'closedAddress'],
  [remote, 'https://[fe80::1]/', [], 'closedAddress'],
  [remote, 'https://[::]/', [], 'closedAddress'],
  [remote, 'https://auth.example.com/token', [], 'unapproved'],
  [remote, 'https://auth.example.com:8443/token', ['auth.example.com'], 'unapproved'],
  [remote, 'https://registry.example.com:8443/token', [], 'unapproved'],
  [remote, 'https://registry.example.com.evil.example/token', [], 'unapproved'],
  [remote, 'https://registry.example.com./token', [], 'unapproved'],
  [remote, 'https://auth.docker.io/token', [], 'unapproved'],
  ['docker.io', 'https://auth.docker.io:8443/token', [], 'unapproved'],
  // On loopback each program has a port.
  ['localhost:5000', 'http://localhost:5001/token', [], 'unapproved'],
  ['localhost:5000', 'https://localhost/token', [], 'unapproved'],
])('%s may not send to %s with %j', (registry, realm, approved, fault) => {
  expect(judgeRealm(realm, origin(registry), approved)).toMatchObject({ ok: false, fault });
});

test('a registry’s host has one spelling', () => {
  expect(origin('docker.io')).toEqual({
    name: 'docker.io',
    authority: 'registry-1.docker.io',
    isLoopback: false,
  });
  expect(origin('LOCALHOST:5000')).toMatchObject({ authority: 'localhost:5000', isLoopback: true });
  expect(origin('ghcr.io:443')).toMatchObject({ authority: 'ghcr.io' });
  for (const host of [
    '',
    'a b',
    'a/b',
    'a@b',
    'a?b',
    'a#b',
    '127.1',
    '0x7f.0.0.1',
    'a:99999',
    '[::1',
    'a\\b',
  ]) {
    expect(registryOrigin(host), host).toBeNull();
  }
});
