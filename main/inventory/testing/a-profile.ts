import type { Profile } from '../../domain/inventory/profile.ts';
import type { ReadProfile } from '../../domain/inventory/read-profile.ts';

export function aProfile(namespace: string, name: string, more: Partial<Profile> = {}): Profile {
  return {
    inventory: 'fleet',
    namespace,
    name,
    uid: `uid-of-${namespace}-${name}`,
    displayName: name,
    manager: 'tests',
    version: '1.34.1',
    clusterset: null,
    location: null,
    memberId: null,
    labels: new Map([['env', 'prod']]),
    conditions: [{ type: 'ControlPlaneHealthy', status: 'True', reason: 'Healthy', message: 'ok' }],
    hasStatus: true,
    providers: [
      {
        name: 'google',
        server: `https://${name}.example.com`,
        tlsServerName: null,
        insecureSkipTlsVerify: false,
        certificateAuthorityPem: null,
        proxyUrl: null,
        disableCompression: false,
        execConfig: { region: 'eu' },
        args: ['--a'],
        argsFault: null,
        env: new Map([['A', 'b']]),
        envFault: null,
        fault: null,
      },
    ],
    problems: [],
    ...more,
  };
}

export function read(profile: Profile): ReadProfile {
  return { ok: true, profile };
}
