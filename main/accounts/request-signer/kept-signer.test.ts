import { describe, expect, it } from 'vitest';
import { createSignerBench } from '../../../test/support/signer-bench.ts';
import { onWindows } from '../../../test/support/system.ts';

const good = { headers: [['x-signature', 'abc']] };

/** A request that the program `at` answers. */
async function signedBy(bench: ReturnType<typeof createSignerBench>, at: number) {
  const asked = bench.sign();
  await bench.settle();
  bench.program(at).answer(1, good);
  return asked;
}

describe('a program that signs', () => {
  it('is started by the first request, with its own variables alone, and is kept', async () => {
    const bench = createSignerBench({ args: ['--fast'] });
    const [one, two] = [bench.sign(), bench.sign({ path: '/b' })];
    await bench.settle();
    expect(bench.orders).toEqual([
      {
        command: '/opt/sign',
        args: ['--fast'],
        env: expect.objectContaining({ HOME: '/home/u', KEY: 'k1', TERM: 'dumb', https_proxy: 'http://p:1' }),
        cwd: onWindows ? 'C:\\' : '/home/u',
      },
    ]);
    expect(bench.orders[0]?.env).not.toHaveProperty('AWS_PROFILE');
    const program = bench.program(0);
    const [a, b] = program.requests;
    // In any order.
    program.answer(b?.['id'], { headers: [['x-signature', 'second']] });
    program.answer(a?.['id'], { headers: [['x-signature', 'first']] });
    expect(await one).toEqual({ ok: true, headers: [['x-signature', 'first']] });
    expect(await two).toEqual({ ok: true, headers: [['x-signature', 'second']] });
    const three = bench.sign();
    await bench.settle();
    program.answer(program.requests[2]?.['id'], good);
    expect(await three).toEqual({ ok: true, ...good });
    expect(bench.starts).toHaveLength(1);
    expect(bench.events).toEqual([
      {
        kind: 'pluginRun',
        plugin: 'requestSigner',
        account: 'corp',
        target: null,
        where: 'broker',
        callStatus: 'no_error',
        exitCode: 0,
        code: null,
        milliseconds: 0,
      },
    ]);
  });

  it('that is not the approved one isn’t started', async () => {
    const bench = createSignerBench();
    bench.state.found = { ok: false, reason: 'notPermitted', code: 'execPlugin.changed', message: 'changed' };
    expect(await bench.sign()).toEqual(bench.state.found);
    expect(bench.starts).toHaveLength(0);
    expect(bench.events).toHaveLength(0);
  });

  it('that lacks a variable of the vault isn’t started', async () => {
    const bench = createSignerBench({ env: [{ name: 'OTHER' }] });
    expect(await bench.sign()).toMatchObject({ code: 'execPlugin.secretMissing' });
    bench.vault.locked = true;
    expect(await bench.sign()).toMatchObject({ reason: 'locked' });
    expect(bench.starts).toHaveLength(0);
  });

  it('may refuse in its own words, without what it was told', async () => {
    const bench = createSignerBench();
    const asked = bench.sign({ headers: [['authorization', 'Bearer abcdefghijklmnopqrstuvwxyz']] });
    await bench.settle();
    const program = bench.program(0);
    program.answer(1, { error: 'no key for Bearer abcdefghijklmnopqrstuvwxyz\n\u001b[31mhere' });
    const refused = await asked;
    expect(refused).toMatchObject({ ok: false, code: 'requestSigner.refused', reason: 'provider' });
    expect(refused).not.toMatchObject({ message: expect.stringContaining('abcdefghij') });
    expect(refused).not.toMatchObject({ message: expect.stringContaining('\u001b') });
    expect(refused).toMatchObject({
      message: expect.stringContaining('the signer corp (sign) refuses: no key for'),
    });
    expect(program.killed).toBe(false);
  });

  it('that sets a header of HTTP’s own loses that request alone', async () => {
    const bench = createSignerBench();
    const asked = bench.sign();
    await bench.settle();
    bench.program(0).answer(1, { headers: [['Connection', 'close']] });
    expect(await asked).toMatchObject({
      code: 'requestSigner.header',
      message: 'the signer corp (sign) set the header connection, which HTTP sets itself',
    });
    expect(bench.program(0).killed).toBe(false);
  });

  it('that ends before it answers is started once more, and asked again', async () => {
    const bench = createSignerBench();
    const asked = bench.sign();
    await bench.settle();
    bench.program(0).say('no key file\n');
    bench.program(0).exit();
    await bench.settle();
    expect(bench.program(1).requests).toHaveLength(1);
    bench.program(1).answer(1, good);
    expect(await asked).toEqual({ ok: true, ...good });
    const problem = 'the signer corp (sign) ended before it answered: exit status 3';
    const lines = ['no key file'];
    expect(bench.memory.recent('corp')).toMatchObject([{ problem, lines }, { problem: null }]);
    expect(bench.events).toMatchObject([
      { callStatus: 'plugin_execution_error', exitCode: 3, code: 'requestSigner.ended' },
      { callStatus: 'no_error', code: null },
    ]);
  });

  it('that ends twice is left alone for a while, longer each time', async () => {
    const bench = createSignerBench();
    const fail = async (at: number) => {
      await bench.settle();
      bench.program(at).exit();
    };
    const asked = bench.sign();
    await fail(0);
    await fail(1);
    expect(await asked).toMatchObject({
      code: 'requestSigner.ended',
      message: 'the signer corp (sign) ended before it answered: exit status 3',
      hint: 'lanyard plugin show corp has what it wrote to stderr',
    });
    expect(await bench.sign()).toMatchObject({ unasked: true, retryAfterSeconds: 1 });
    expect(bench.starts).toHaveLength(2);
    bench.clock.advance(1_000);
    const again = bench.sign();
    await fail(2);
    expect(await again).toMatchObject({ code: 'requestSigner.ended' });
    expect(await bench.sign()).toMatchObject({ unasked: true, retryAfterSeconds: 2 });
    bench.clock.advance(2_000);
    expect(await signedBy(bench, 3)).toMatchObject({ ok: true });
    // All is well again: the next failure costs no wait.
    const after = bench.sign();
    await fail(3);
    await bench.settle();
    bench.program(4).answer(1, good);
    expect(await after).toMatchObject({ ok: true });
  });

  it('that answers late is ended, and what else waited is asked of a new one', async () => {
    const bench = createSignerBench({ timeoutSeconds: 2 });
    await signedBy(bench, 0);
    const late = bench.sign();
    await bench.settle();
    bench.clock.advance(1_500);
    const other = bench.sign({ path: '/other' });
    await bench.settle();
    bench.clock.advance(500);
    expect(await late).toMatchObject({
      reason: 'timedOut',
      code: 'requestSigner.late',
      message: expect.stringContaining('did not answer in time (2 s'),
    });
    expect(bench.program(0).killed).toBe(true);
    await bench.settle();
    expect(bench.program(1).requests).toMatchObject([{ path: '/other' }]);
    bench.program(1).answer(1, good);
    expect(await other).toMatchObject({ ok: true });
  });

  it('has more time for its first answer', async () => {
    const bench = createSignerBench({ timeoutSeconds: 2 });
    const asked = bench.sign();
    await bench.settle();
    bench.clock.advance(11_999);
    bench.program(0).answer(1, good);
    expect(await asked).toMatchObject({ ok: true });
  });

  const unasked = 'it answered a request that doesn’t wait for an answer';
  it.each([
    ['garbage', 'hello\n', 'it wrote a line that isn’t JSON'],
    ['a line without end', 'x'.repeat(65 * 1024), 'it wrote a line of more than 64 KiB'],
    ['an answer to no request', '{"id":2,"headers":[]}\n', unasked],
    ['an answer twice', '{"id":1,"headers":[]}\n'.repeat(2), unasked],
  ])('that writes %s is ended', async (_, text, fault) => {
    const bench = createSignerBench();
    void bench.sign();
    await bench.settle();
    const program = bench.program(0);
    program.write(text);
    await bench.settle();
    expect(program.killed).toBe(true);
    expect(bench.memory.recent('corp').findLast(({ problem }) => problem !== null)).toMatchObject({
      problem: `the signer corp (sign) was ended: ${fault}`,
    });
    expect(bench.events.at(-1)).toMatchObject({ code: 'requestSigner.answer', exitCode: -1 });
  });

  it('that closes its output and goes on is ended', async () => {
    const bench = createSignerBench();
    const asked = bench.sign();
    await bench.settle();
    bench.program(0).stdout.end();
    await bench.settle();
    bench.clock.advance(1_000);
    expect(bench.program(0).killed).toBe(true);
    await bench.settle();
    bench.program(1).answer(1, good);
    expect(await asked).toMatchObject({ ok: true });
  });

  it('is ended after five minutes without requests, and started by the next', async () => {
    const bench = createSignerBench();
    await signedBy(bench, 0);
    bench.clock.advance(5 * 60_000 - 1);
    await bench.settle();
    expect(bench.program(0).inputEnded).toBe(false);
    bench.clock.advance(1);
    await bench.settle();
    expect(bench.program(0)).toMatchObject({ inputEnded: true, killed: false });
    bench.clock.advance(1_000);
    expect(bench.program(0).killed).toBe(true);
    // That is no failure.
    expect(bench.events).toHaveLength(1);
    expect(await signedBy(bench, 1)).toMatchObject({ ok: true });
  });

  it('is ended with its account, and signs nothing more', async () => {
    const bench = createSignerBench();
    const asked = bench.sign();
    await bench.settle();
    bench.signer.end();
    expect(await asked).toMatchObject({ code: 'requestSigner.gone' });
    expect(await bench.sign()).toMatchObject({ code: 'requestSigner.gone' });
    await bench.settle();
    expect(bench.program(0).inputEnded).toBe(true);
    expect(bench.starts).toHaveLength(1);
  });

  it('gets 256 requests at a time', async () => {
    const bench = createSignerBench();
    const all = Array.from({ length: 256 }, () => bench.sign());
    await bench.settle();
    expect(await bench.sign()).toMatchObject({ code: 'requestSigner.busy' });
    for (const { id } of bench.program(0).requests) {
      bench.program(0).answer(id, good);
    }
    expect(await Promise.all(all)).toHaveLength(256);
  });
});
