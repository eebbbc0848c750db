import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Secret } from '../../base/secret.ts';
import { account as accountSchema } from '../../contract/config/accounts/account.ts';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import type { LoadedConfig } from '../loaded-config.ts';
import { someProgram } from '../testing/some-program.ts';
import type { ImportPlan } from './import-plan.ts';
import { importedBefore, withImported } from './imported-before.ts';
import type { KubeExec } from './kubeconfig.ts';
import { type ImportOptions, planImport } from './plan-import.ts';
import { importOptions, kubeCluster, kubeContext, kubeconfig, kubeExec, kubeUser } from './testing/kube.ts';

const eks = (name: string, env: Record<string, string> = {}) => kubeExec('aws', ['eks', name], env);
const told = (exec: KubeExec): KubeExec => ({ ...exec, provideClusterInfo: true });

/** A bare name is in the first folder of its search path. */
const programOf: ImportOptions['programOf'] = (command, searchPath) => {
  const path = command.startsWith('/') ? command : `${searchPath?.split(delimiter)[0]}/${command}`;
  return someProgram(path, { sha256: Buffer.from(path).toString('hex').padEnd(64, '0').slice(0, 64) });
};

function plan(merged: ReturnType<typeof kubeconfig>, options: Partial<ImportOptions> = {}) {
  return planImport(
    importOptions(merged, { programOf, searchPath: ['/usr/bin', '/bin'].join(delimiter), ...options }),
  );
}

const became = ({ users }: ImportPlan) =>
  users.map(({ becomes }) => ('left' in becomes ? becomes.left : becomes));

/** What is in force once `of` is done. */
function inForce(of: ImportPlan) {
  const accounts: [string, object][] = [];
  const clusters: [string, object][] = [];
  const secrets: Record<string, Readonly<Record<string, Secret>>> = {};
  for (const { becomes } of of.users) {
    if (!('left' in becomes)) {
      accounts.push([becomes.account, accountSchema.parse(becomes.value)]);
      secrets[becomes.account] = becomes.secrets;
    }
  }
  for (const { becomes } of of.clusters) {
    if (!('left' in becomes)) {
      clusters.push([becomes.cluster, clusterSchema.parse(becomes.value)]);
    }
  }
  const loaded = (entries: [string, object][]) =>
    new Map(entries.map(([name, config]) => [name, { name, config, certificateAuthorityPem: null }]));
  const config = { accounts: loaded(accounts), clusters: loaded(clusters) } as unknown as LoadedConfig;
  return { config, secrets, before: importedBefore(withImported({}, of)) };
}

describe('KEP-541/configuration: users with plugins', () => {
  test('what each would run is shown', () => {
    const exec = told({ ...eks('prod', { AWS_PROFILE: 'p', TOKEN: 'canary' }), interactiveMode: 'Never' });
    expect(became(plan(kubeconfig([kubeUser('eks', { exec })])))).toMatchObject([
      {
        account: 'eks',
        program: {
          ...{ command: 'aws', path: '/usr/bin/aws', target: '/usr/bin/aws', owner: 'root' },
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          args: ['eks', 'prod'],
          env: [
            { name: 'AWS_PROFILE', inVault: false, value: 'p' },
            { name: 'TOKEN', inVault: true, value: null },
          ],
          ...{ interactiveMode: 'Never', provideClusterInfo: true, searchPathFolders: 2 },
        },
      },
    ]);
  });

  test('of the same plugin share an account, those of another secret, argument or version don’t', () => {
    const v1beta1 = { ...eks('a'), apiVersion: 'client.authentication.k8s.io/v1beta1' };
    const users: [string, KubeExec, string][] = [
      ['a', eks('a'), 'a'],
      ['b', eks('a'), 'a'],
      ['c', { ...eks('a'), installHint: 'another' }, 'a'],
      ['d', eks('d'), 'd'],
      ['e', eks('a', { TOKEN: 'one' }), 'e'],
      ['f', eks('a', { TOKEN: 'two' }), 'f'],
      ['g', eks('a', { TOKEN: 'one' }), 'e'],
      ['h', v1beta1, 'h'],
      ['i', told(eks('a')), 'i'],
      ['j', { ...eks('a'), interactiveMode: 'Never' }, 'j'],
      ['k', eks('a', { AWS_PROFILE: 'p' }), 'k'],
    ];
    const planned = plan(kubeconfig(users.map(([name, exec]) => kubeUser(name, { exec }))));
    expect(planned.users.map(({ user, becomes }) => [user, 'account' in becomes && becomes.account])).toEqual(
      users.map(([user, , account]) => [user, account]),
    );
  });
});

describe('a second import of a plugin', () => {
  const one = (exec: KubeExec) => kubeconfig([kubeUser('eks', { exec })]);
  const say = ({ config }: ReturnType<typeof inForce>, fields: object) => {
    const eksOf = config.accounts.get('eks')?.config as { execPlugin: object };
    Object.assign(eksOf.execPlugin, fields);
  };

  test('from another PATH that finds the same program is nothing new', () => {
    const first = inForce(plan(one(eks('a'))));
    const [second] = became(
      plan(one(eks('a')), { ...first, searchPath: ['/usr/bin', '/opt/more'].join(delimiter) }),
    );
    expect(second).toMatchObject({ account: 'eks', exists: true });
  });

  test('nor where the user has said since how it is kept, shared and pinned', () => {
    const first = inForce(plan(one(eks('a'))));
    say(first, { share: false, pin: true, cacheSeconds: 60, environment: ['AWS_PROFILE'] });
    const [second] = became(plan(one(eks('a')), first));
    expect(second).toMatchObject({ account: 'eks', exists: true });
  });

  test.each<[string, KubeExec, Partial<ImportOptions>]>([
    ['another program of the name', eks('a'), { searchPath: '/opt/bin' }],
    ['other arguments', eks('b'), {}],
    ['another secret', eks('a', { TOKEN: 'new' }), {}],
  ])(
    'with %s takes the place of what that user was, after a question; what a person said stays',
    (_, exec, options) => {
      const first = inForce(plan(one(eks('a', { TOKEN: 'old' }))));
      const said = { share: false, pin: true, timeoutSeconds: 9, environment: ['X'] };
      say(first, said);
      const planned = plan(one(exec), { ...first, ...options });
      const [second] = became(planned);
      expect(second).toMatchObject({ account: 'eks', exists: false, replaces: true });
      const { value } = second as { value: { execPlugin: object } };
      expect(value.execPlugin).toMatchObject({ args: exec.args.map((arg) => arg.reveal()), ...said });
      const words = /^the account eks gets what aws eks [ab] answers; it is what eks gets$/;
      expect(planned.questions).toMatchObject([{ kind: 'replaces', lines: [expect.stringMatching(words)] }]);
      expect(planned.clusters).toMatchObject([{ becomes: { cluster: 'eks', exists: true } }]);
    },
  );
});

describe('KEP-541/cluster-config, KEP-541/provide-cluster-info: what a plugin is told of a cluster', () => {
  const users = [kubeUser('told', { exec: told(eks('a')) }), kubeUser('plain', { exec: eks('a') })];
  const contexts = users.map(({ name }) => kubeContext(name, name, 'c'));
  const cluster = (value: unknown) => kubeCluster('c', { execConfig: { ok: true, value } });
  const values = ({ clusters }: ImportPlan) =>
    clusters.map(({ becomes }) => ('left' in becomes ? becomes.left : becomes.value.execConfig));

  test('goes with the clusters of plugins that are told them, alone', () => {
    expect(values(plan(kubeconfig(users, [cluster({ a: [1] })], contexts)))).toEqual([{ a: [1] }, undefined]);
  });

  test('changed since, takes the place of what was said before', () => {
    const merged = (value: unknown) => kubeconfig(users, [cluster(value)], contexts);
    const first = inForce(plan(merged({ a: 1, b: 2 })));
    const same = plan(merged({ b: 2, a: 1 }), first);
    expect(same.clusters).toMatchObject([{ becomes: { exists: true } }, { becomes: { exists: true } }]);
    const other = plan(merged({ a: 2 }), first);
    const replaced = { exists: false, replaces: expect.any(String), value: { execConfig: { a: 2 } } };
    expect(other.clusters).toMatchObject([
      { becomes: { cluster: 'told', ...replaced } },
      { becomes: { cluster: 'plain', exists: true } },
    ]);
  });

  test('said by the user alone, it stays', () => {
    const merged = kubeconfig(users, [kubeCluster('c')], contexts);
    const first = inForce(plan(merged));
    Object.assign(first.config.clusters.get('told')?.config ?? {}, { execConfig: { a: 1 } });
    const there = { becomes: { exists: true } };
    expect(plan(merged, first).clusters).toMatchObject([there, there]);
  });

  const tooLarge = { ok: false as const, fault: 'is larger than 64 KiB' };
  test.each<[string, ReturnType<typeof kubeCluster>, string]>([
    ['a secret', cluster({ token: 'canary' }), 'holds a secret, which has no place in config.yaml'],
    ['what can’t be kept', kubeCluster('c', { execConfig: tooLarge }), 'is larger than 64 KiB'],
  ])('with %s leaves the context, and no account without a cluster', (_, of, reason) => {
    const planned = plan(kubeconfig(users, [of], contexts));
    const left = `its cluster’s extension client.authentication.k8s.io/exec ${reason}`;
    expect(values(planned)).toEqual([left, undefined]);
    expect(became(planned)).toEqual(['none of its contexts can be imported', expect.anything()]);
    expect(JSON.stringify(planned)).not.toContain('canary');
  });
});

describe('what the user is asked of plugins', () => {
  const at = (...names: string[]) => names.map((name) => kubeCluster(name));
  const both = (exec: KubeExec) =>
    kubeconfig([kubeUser('u', { exec })], at('one', 'two'), [
      kubeContext('one', 'u', 'one'),
      kubeContext('two', 'u', 'two'),
    ]);

  test('a new server gets what the plugin answers, which the kubeconfig doesn’t hold', () => {
    const { questions } = plan(kubeconfig([kubeUser('u', { exec: eks('a') })]));
    expect(questions).toMatchObject([
      {
        kind: 'unknownAuthority',
        lines: ['u at https://one.example.com:6443: the system’s CAs; it gets what aws eks a answers'],
      },
    ]);
  });

  test('one credential at two servers is asked about, unless the plugin is told the cluster', () => {
    const kinds = (exec: KubeExec) => plan(both(exec)).questions.map(({ kind }) => kind);
    expect(kinds(eks('a'))).toEqual(['unknownAuthority', 'sharedAudience']);
    expect(kinds(told(eks('a')))).toEqual(['unknownAuthority']);
  });

  test('its secrets are plain now; in place they go, and nothing secret is in a plan', () => {
    const users = [
      kubeUser('variable', { exec: eks('a', { TOKEN: 'canary', AWS_PROFILE: 'p' }) }),
      kubeUser('argument', { exec: kubeExec('aws', ['--token', 'canary']) }),
    ];
    const planned = plan(kubeconfig(users));
    const words = planned.users.map(({ plainNow, plainAfterInPlace }) => [
      plainNow.map(({ what }) => what),
      plainAfterInPlace.map(({ what }) => what),
    ]);
    expect(words).toEqual([
      [['secret in the plugin’s variable TOKEN'], []],
      [['secret in the plugin’s arguments'], ['secret in the plugin’s arguments']],
    ]);
    expect(JSON.stringify(planned)).not.toContain('canary');
  });
});
