import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { someProgram } from '../../../domain/testing/some-program.ts';
import { accountAddBench, searchPath } from '../testing/account-add-bench.ts';

const aws = someProgram('/opt/bin/aws', {
  target: '/opt/aws/aws',
  sha256: 'abc',
  interpreter: { path: '/usr/bin/env', searched: 'python3' },
});

describe('lanyard account add NAME --exec-plugin', () => {
  it('takes all that a kubeconfig could say, and the caller’s PATH', async () => {
    const { run, edits } = accountAddBench();
    const answer = await run(
      ...['eks', '--exec-plugin', 'aws', '--arg', 'eks', '--arg', 'get-token', '--arg=--region'],
      ...['--env', 'A=b=c', '--env', 'EMPTY=', '--env', 'TOKEN', '--api-version', 'v1beta1'],
      ...['--interactive-mode', 'Never', '--provide-cluster-info', '--environment', 'AWS_*'],
      ...['--timeout', '20', '--cache', '300', '--pin', '--no-share', '--install-hint', 'get it'],
    );
    expect(answer).toMatchObject({
      code: 0,
      stderr: 'Added the account eks. Next: lanyard secret set eks/env.TOKEN\n',
    });
    const execPlugin = {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: 'aws',
      args: ['eks', 'get-token', '--region'],
      env: [{ name: 'A', value: 'b=c' }, { name: 'EMPTY', value: '' }, { name: 'TOKEN' }],
      installHint: 'get it',
      provideClusterInfo: true,
      interactiveMode: 'Never',
      searchPath,
      environment: ['AWS_*'],
      timeoutSeconds: 20,
      cacheSeconds: 300,
      share: false,
      pin: true,
    };
    expect(edits).toEqual([{ kind: 'set', what: 'account', name: 'eks', value: { execPlugin } }]);
  });

  it('says v1 and IfAvailable where nothing is said', async () => {
    const { run, edits } = accountAddBench();
    expect(await run('eks', '--exec-plugin', 'aws')).toMatchObject({
      stderr: 'Added the account eks. Next: lanyard cluster add NAME --server URL --account eks\n',
    });
    expect(edits).toMatchObject([
      {
        value: {
          execPlugin: { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'IfAvailable' },
        },
      },
    ]);
  });

  it.each([
    ['./aws', resolve('/home/me/src/aws')],
    ['../bin/aws', resolve('/home/me/bin/aws')],
    [resolve('/opt/bin/aws'), resolve('/opt/bin/aws')],
    ['aws', 'aws'],
  ])('%s counts from the caller’s folder: %s', async (said, command) => {
    const { run, looked } = accountAddBench();
    await run('eks', '--exec-plugin', said);
    expect(looked).toEqual([{ command, searchPath }]);
  });

  it('shows what the command leads to first, and binds just that', async () => {
    const { run, approved, shown } = accountAddBench({ facts: aws });
    await run('eks', '--exec-plugin', 'aws');
    expect(shown()).toBe(`program of eks: /opt/bin/aws -> /opt/aws/aws, owner root, SHA-256 abc
  a script: python3 is searched for in its PATH at each run
Add eks with this program? [y/N] `);
    expect(approved).toEqual([{ eks: { path: '/opt/bin/aws', sha256: 'abc' } }]);
  });

  it('adds one that isn’t there yet, unbound', async () => {
    const { run, approved, shown } = accountAddBench({ facts: { kind: 'missing', path: null } });
    expect(await run('eks', '--exec-plugin', 'aws')).toMatchObject({ code: 0 });
    expect(shown()).toBe('program of eks: aws: not there now\nAdd eks with this program? [y/N] ');
    expect(approved).toEqual([{ eks: null }]);
  });

  it('adds nothing without a yes, or where others can write the program', async () => {
    const no = accountAddBench({ facts: aws, answer: '' });
    await expect(no.run('eks', '--exec-plugin', 'aws')).rejects.toMatchObject({ reason: 'denied' });
    const open = accountAddBench({ facts: { ...aws, writers: [{ path: '/opt', who: 'everybody' }] } });
    await expect(open.run('eks', '--exec-plugin', 'aws')).rejects.toMatchObject({
      reason: 'notPermitted',
      code: 'execPlugin.unsafe',
      message: '/opt/bin/aws is not run: everybody can write /opt',
    });
    expect([no.edits, open.edits]).toEqual([[], []]);
  });

  it('is pending without a terminal', async () => {
    const { run, approved, edits } = accountAddBench({ canPrompt: false });
    expect((await run('eks', '--exec-plugin', 'aws')).stderr).toContain('pending approval');
    expect([approved.length, edits.length]).toEqual([0, 1]);
  });

  it.each([
    [['--arg=--client-secret=hunter2'], 'its arguments hold --client-secret'],
    [['--arg=--token', '--arg', 'hunter2'], 'its arguments hold --token'],
    [['--env', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI'], 'AWS_SECRET_ACCESS_KEY holds a secret'],
  ])('takes no secret into config.yaml: %j', async (more, message) => {
    const { run, edits, looked } = accountAddBench();
    await expect(run('eks', '--exec-plugin', 'aws', ...more)).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('--env'),
    });
    expect([edits, looked]).toEqual([[], []]);
  });

  it.each([
    ['--api-version', 'v2'],
    ['--interactive-mode', 'never'],
    ['--env', 'A B=1'],
    ['--environment', '*'],
    ['--exec-plugin', ''],
  ])('%s %s is told in the words of the option, and nobody is asked', async (option, value) => {
    const { run, shown } = accountAddBench();
    await expect(run('eks', '--exec-plugin', 'aws', option, value)).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining(`${option}: `),
    });
    expect(shown()).toBe('');
  });

  it.each([
    ['--timeout', 'soon'],
    ['--cache', '0'],
    ['--static-token', '--pin'],
  ])('%s %s is wrong usage', async (...more) => {
    await expect(accountAddBench().run('eks', '--exec-plugin', 'aws', ...more)).rejects.toMatchObject({
      reason: 'usage',
    });
  });
});
