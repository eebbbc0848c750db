import { describe, expect, it } from 'vitest';
import type { AccountStatus, Status } from '../../../access/status.ts';
import { withoutStyle } from '../../../domain/text/style.ts';
import { commandCall } from '../testing/command-call.ts';
import { statusCommand } from './status-command.ts';

const eks: AccountStatus = {
  name: 'eks',
  kind: 'execPlugin',
  state: 'ready',
  pending: false,
  subject: null,
  issuer: null,
  expiresAt: null,
  problem: null,
  advice: null,
  secondsLeft: null,
  endIs: 'nothing',
};

async function shown(
  account: Partial<AccountStatus>,
  held: Status['held'] = [],
  registries: Status['registries'] = [],
): Promise<string[]> {
  const status: Status = {
    broker: { version: '1', pid: 1, uptimeSeconds: 1, home: '/h' },
    vault: { kind: 'open', slots: ['passphrase'], generation: 1 } as never,
    idleLock: null,
    config: { file: '/h/config.yaml', problems: [] },
    history: { file: '/h/history.db', problems: [] },
    metrics: { problem: null },
    held,
    imports: [],
    accounts: [{ ...eks, ...account }],
    clusters: [],
    registries,
  };
  const command = statusCommand({ status: { read: async () => status } } as never);
  return withoutStyle(String((await command(commandCall([]))).stdout))
    .split('\n')
    .map((line) => line.trim());
}

const needs = (lines: readonly string[]) => lines.slice(lines.indexOf('Needs you:') + 1).filter(Boolean);

describe('a wrapped plugin in lanyard status', () => {
  it('without a credential yet needs no one', async () => {
    const lines = await shown({});
    expect(lines).toContain('eks      execPlugin  ready      no credential');
    expect(lines).not.toContain('Needs you:');
  });

  it('that failed is told with the command that shows what it said', async () => {
    const lines = await shown({
      state: 'failing',
      problem: 'exec: executable aws failed with exit code 1',
      advice: 'lanyard plugin show eks',
    });
    expect(lines).toContain('eks      execPlugin  failing');
    expect(needs(lines)).toEqual([
      'lanyard plugin show eks          exec: executable aws failed with exit code 1',
    ]);
  });

  it('that is pending is printed once, with what it waits for', async () => {
    const held = [{ what: 'account', name: 'eks', change: 'new', served: false } as const];
    const lines = await shown({ state: 'held', problem: 'its program is not the one' }, held);
    expect(lines).toContain('eks      execPlugin  pending approval');
    expect(needs(lines)).toEqual([
      'lanyard confirm          pending approval: account eks',
      'Nothing is issued for a new account, cluster, registry or inventory until you approve it.',
    ]);
  });

  it('whose program is not there says so under its name', async () => {
    const lines = await shown({
      state: 'invalid',
      problem: 'there is no program aws',
      advice: 'lanyard doctor',
    });
    expect(needs(lines)).toEqual(['lanyard doctor          eks: there is no program aws']);
  });

  it('what no command does is said under its name', async () => {
    const lines = await shown({ state: 'expired', problem: 'it expired at 14:31', advice: 'replace /run/t' });
    expect(needs(lines)).toEqual(['eks: it expired at 14:31; replace /run/t']);
  });
});

it('registries have a table where there are some', async () => {
  expect((await shown({})).join('\n')).not.toContain('REGISTRY');
  const ghcr = {
    name: 'ghcr',
    matchImages: ['ghcr.io', '*.ghcr.io'],
    account: 'hub',
    state: 'secretMissing',
  };
  const lines = await shown({}, [], [{ ...ghcr, pending: true, expiresAt: null }]);
  const at = lines.indexOf('REGISTRY  IMAGES             ACCOUNT  STATE');
  expect(lines[at + 1]).toBe('ghcr      ghcr.io *.ghcr.io  hub      secretMissing, change pending');
});
