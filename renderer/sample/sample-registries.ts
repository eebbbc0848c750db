import type { AccountView, RegistryView } from '../../main/contract/ui/state.ts';
import { hours, minutes } from './spans.ts';

type Line = Pick<RegistryView, 'name' | 'matchImages' | 'account'> & Partial<RegistryView>;

const usual = {
  coversStrangers: [],
  state: 'ready',
  isPending: false,
  problem: null,
  credential: null,
  byHand: false,
  audience: null,
  userName: null,
  approval: 'never',
  cacheDuration: '0s',
  calledAs: null,
  tokenServers: [],
  lastCall: null,
} as const satisfies Partial<RegistryView>;

/** Invented registries: one in trouble, and one whose pattern covers names of strangers. */
export function sampleRegistries(now: number, accounts: readonly AccountView[]): RegistryView[] {
  const called = (
    program: string,
    parent: string,
    door: 'docker' | 'image',
    ago: number,
    outcome: 'handedOut' | 'refused' = 'handedOut',
  ): RegistryView['lastCall'] => ({
    at: now - ago,
    door,
    program,
    parent,
    outcome,
    reason: outcome === 'refused' ? 'secretMissing' : 'held',
    microseconds: 1200,
  });
  const password = (issuedAt: number | null, expiresAt: number | null): RegistryView['credential'] => ({
    kind: 'password',
    issuedAt,
    expiresAt,
    renewsAt: null,
    trouble: null,
    generation: 1,
  });
  const lines: readonly Line[] = [
    {
      name: 'ghcr',
      matchImages: ['ghcr.io/corp', 'ghcr.io/corp-labs'],
      account: 'ghcr-bot',
      credential: password(null, null),
      lastCall: called('docker', 'make', 'docker', minutes(4)),
    },
    {
      name: 'docker-hub',
      matchImages: ['docker.io'],
      account: 'hub',
      state: 'secretMissing',
      problem: 'hub has no secret yet: set it.',
      lastCall: called('podman', 'zsh', 'docker', minutes(11), 'refused'),
    },
    {
      name: 'azure',
      matchImages: ['*.azurecr.io'],
      coversStrangers: ['*.azurecr.io'],
      account: 'corp',
      audience: 'https://containerregistry.azure.example',
      userName: '00000000-0000-0000-0000-000000000000',
      approval: '8h',
      cacheDuration: '10m',
      credential: {
        ...password(now - minutes(13), now + minutes(47)),
        kind: 'token',
        renewsAt: now + minutes(40),
      } as RegistryView['credential'],
      lastCall: called('kubelet', 'systemd', 'image', hours(1)),
    },
    {
      name: 'ecr',
      matchImages: ['123456789012.dkr.ecr.eu-central-1.amazonaws.com'],
      account: 'ecr',
      credential: password(now - minutes(8), now + hours(11)),
      lastCall: called('docker', 'zsh', 'docker', minutes(8)),
    },
    {
      name: 'lab',
      matchImages: ['registry.lab.example:5000'],
      account: 'lab-sso',
      calledAs: 'lab',
      state: 'failing',
      problem: 'The plugin of lab-sso failed: exit 1. It is tried again when a program asks.',
    },
  ];
  return lines.map((line) => ({
    ...usual,
    kind: accounts.find(({ name }) => name === line.account)?.kind ?? null,
    ...line,
  }));
}

/** That many more of them, of which some have long names and many patterns. */
export function manyRegistries(accounts: readonly AccountView[], count: number): RegistryView[] {
  const kind = accounts.find(({ name }) => name === 'ghcr-bot')?.kind ?? null;
  return Array.from({ length: count }, (_, index) => ({
    ...usual,
    kind,
    account: 'ghcr-bot',
    name:
      index % 7 === 3
        ? `team-${index}-of-the-machine-learning-platform-and-its-experiments`
        : `team-${index}`,
    matchImages: Array.from(
      { length: index % 7 === 5 ? 12 : 1 },
      (__, at) => `registry-${index}.team.corp.example:5000/projects/${at}/`,
    ),
  }));
}
