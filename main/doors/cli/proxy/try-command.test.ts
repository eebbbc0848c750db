import { expect, test } from 'vitest';
import { cluster } from '../../../contract/config/cluster.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { TriedRequest } from '../../../contract/tried-request.ts';
import { attempt, triedRequest, triedStep } from '../../../domain/testing/a-tried-request.ts';
import { withoutStyle } from '../../../domain/text/style.ts';
import { commandCall } from '../testing/command-call.ts';
import { proxyTryCommand } from './try-command.ts';

const chain = [
  { set: 'X-Team', value: 'blue' },
  { sign: 'keys', service: 'execute-api', region: 'eu-west-1' },
];
const signed = triedStep('signAws', [], {
  changes: [
    { header: 'authorization', value: null, how: 'removed' },
    { header: 'x-amz-date', value: '20261123T223000Z', how: 'set' },
    { header: 'authorization', value: null, how: 'set' },
  ],
  canonicalRequest: 'GET\n/prod/version\n',
  stringToSign: 'AWS4-HMAC-SHA256\n20261123T223000Z',
});
const steps = [triedStep('set', ['authorization']), triedStep('set', ['x-team']), signed];
const headers: TriedRequest['attempts'][number]['headers'] = [
  ['host', 'api.example'],
  ['authorization', null],
  ['x-odd', 'a\u001b[31m'],
];

function setUp(answer: Awaited<ReturnType<Parameters<typeof proxyTryCommand>[0]['requestProxy']['try']>>) {
  const asked: string[] = [];
  const [printed, timers]: [string[], (() => void)[]] = [[], []];
  const config = cluster.parse({
    server: 'https://api.example',
    account: 'corp',
    aliases: ['live'],
    proxy: { chain },
  });
  const accounts = new Map([['keys', { config: { awsProcess: {} } }]]);
  const command = proxyTryCommand({
    requestProxy: {
      try: async (name, path, signal) => {
        asked.push(`${name} ${path}`);
        timers.shift()?.();
        expect(signal.aborted).toBe(false);
        return answer;
      },
    },
    config: {
      current: () => ({ accounts, clusters: new Map([['prod', { name: 'prod', config }]]) }) as never,
    },
    clock: {
      now: () => 0,
      after: (_, run) => {
        timers.push(run);
        return { dispose: () => void timers.splice(0) };
      },
    },
  });
  const run = async (...args: string[]) => {
    const call = commandCall(args);
    const terminal = { ...call.terminal, print: (text: string) => void printed.push(text) };
    const { code, stdout = '', stderr = '' } = await command({ ...call, terminal });
    return { code, stdout: withoutStyle(stdout), stderr };
  };
  return { run, asked, printed, timers };
}

const good = { ok: true as const, tried: triedRequest({ attempts: [attempt({ steps, headers })] }) };

test('each step is shown with what it changed, and no secret', async () => {
  const { run, asked, printed, timers } = setUp(good);
  const { code, stdout, stderr } = await run('prod');
  expect(stdout).toBe(
    [
      'GET https://api.example/version',
      '',
      '1. Set Authorization: the credential of corp  10 µs',
      '     + authorization: of authorization',
      '2. Set X-Team: blue  10 µs',
      '     + x-team: of x-team',
      '3. Sign for execute-api in eu-west-1: with the keys of keys, body included  10 µs',
      '     - authorization',
      '     + x-amz-date: 20261123T223000Z',
      '     + authorization: [secret]',
      '',
      'Sent',
      '  host: api.example',
      '  authorization: [secret]',
      '  x-odd: a\\u{1b}[31m',
      '',
      'Answered 200 OK, 12 B',
      '',
      'Took 6.0 ms',
      '  getting credentials     100 µs',
      '  the steps               30 µs',
      '  connecting              3.0 ms',
      '  waiting for the answer  2.0 ms',
      '  reading the answer      870 µs',
      '',
    ].join('\n'),
  );
  expect({ code, stderr, asked }).toEqual({ code: 0, stderr: '', asked: ['prod /version'] });
  expect(printed).toEqual(['lanyard: waiting for prod (5 s); Ctrl-C ends it\n']);
  expect(timers).toEqual([]);
});

test('an alias is refused: nothing is sent', async () => {
  const { run, asked } = setUp(good);
  await expect(run('live')).rejects.toThrow('"live" is an alias of prod: use the name');
  expect(asked).toEqual([]);
});

test('--verbose has what was signed', async () => {
  const { stdout } = await setUp(good).run('prod', '--verbose');
  expect(stdout).toContain('     canonical request:\n     | GET\n     | /prod/version\n');
  expect(stdout).toContain('     string to sign:\n     | AWS4-HMAC-SHA256\n');
});

test('a path is escaped where it has to be', async () => {
  const { run, asked } = setUp(good);
  await run('prod', 'api/ä b?x=1%20+');
  expect(asked).toEqual(['prod /api/%C3%A4%20b?x=1%20+']);
  for (const bad of ['https://a.example/x', '/a#b', `/${'x'.repeat(9000)}`, '/\ud800']) {
    expect(await run('prod', bad)).toMatchObject({ code: 2, stdout: '' });
  }
  expect(asked).toHaveLength(1);
});

test('an answer of 400 or more ends with the provider’s code, and with what to do', async () => {
  const answer = {
    status: 403,
    headers: [['x-amzn-errortype', 'ExpiredTokenException']] as [string, string][],
    bytes: 66,
    body: '{"message":"The security token included in the request is expired"}',
  };
  const { run } = setUp({ ok: true, tried: triedRequest({ answer }) });
  const { code, stdout, stderr } = await run('prod');
  expect(code).toBe(16);
  expect(stdout).toContain(
    'Answered 403 Forbidden, 66 B\n  x-amzn-errortype: ExpiredTokenException\n\n  {"message"',
  );
  expect(stderr).toMatch(
    /^lanyard: the cluster answered 403 Forbidden\nlanyard: the session of .*\nhint: log in there/,
  );
  const read = await run('prod', '--json');
  expect(JSON.parse(read.stdout)).toMatchObject({ cluster: 'prod', method: 'GET', answer: { status: 403 } });
  expect(read.code).toBe(16);
});

test('an answer of the request proxy ends with its reason’s code', async () => {
  const of = async (faultStatus: number | null, attempts: TriedRequest['attempts'] = []) => {
    const tried = triedRequest({
      attempts,
      answer: null,
      fault: 'corp needs a login: lanyard login corp',
      faultStatus,
    });
    return setUp({ ok: true, tried }).run('prod');
  };
  expect(await of(401)).toMatchObject({
    code: 15,
    stderr: 'lanyard: corp needs a login: lanyard login corp\n',
    stdout: expect.stringContaining('Nothing was sent to the cluster.'),
  });
  const rejected = attempt({ status: 401, headers });
  const [unsent, silent] = [attempt({ status: null, headers: [] }), attempt({ status: null, headers })];
  expect((await of(502, [unsent])).stdout).toContain('Nothing was sent to the cluster.');
  expect((await of(502, [silent])).stdout).toContain('The cluster didn’t answer.');
  expect((await of(502, [rejected])).stdout).toContain(
    'The cluster answered 401, and nothing was sent after',
  );
  expect([(await of(403)).code, (await of(504)).code, (await of(502)).code, (await of(null)).code]).toEqual([
    13, 12, 16, 16,
  ]);
  expect(await setUp(refuse('locked', 'vault.locked', 'Lanyard is locked')).run('prod')).toMatchObject({
    code: 11,
    stdout: '',
  });
});

test('an earlier time is told in short, and in whole with --verbose', async () => {
  const first = attempt({ status: 403, steps, headers });
  const again = attempt({ why: 'clock', steps, headers });
  const tried = { ok: true as const, tried: triedRequest({ attempts: [first, again] }) };
  const { stdout } = await setUp(tried).run('prod');
  expect(stdout).toContain(
    'Sent with 3 steps: answered 403\n\nSigned and sent again with the cluster’s time, as the answer was 403\n1. Set',
  );
  expect(stdout).toContain('waiting for the answer (2)');
  const single = {
    ok: true as const,
    tried: triedRequest({ attempts: [attempt({ status: 401, steps: steps.slice(0, 1), headers }), again] }),
  };
  expect((await setUp(single).run('prod')).stdout).toContain('Sent with 1 step: answered 401');
  const whole = await setUp(tried).run('prod', '--verbose');
  expect(whole.stdout.match(/^1\. Set/gm)).toHaveLength(2);
});
