import type { Profile } from '../../domain/inventory/profile.ts';
import type { ReadProfile } from '../scope-sink.ts';

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
        env: new Map([['A', 'b']]),
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

/** Of an object only its names and its display name. */
export function readNames(value: unknown): ReadProfile {
  const { metadata, spec } = value as {
    metadata?: { namespace?: string; name?: string };
    spec?: { displayName?: string };
  };
  const { namespace = null, name = null } = metadata ?? {};
  return namespace === null || name === null || spec === undefined
    ? { ok: false, fault: 'is no profile', namespace, name }
    : { ok: true, profile: aProfile(namespace, name, { displayName: spec.displayName ?? null }) };
}
