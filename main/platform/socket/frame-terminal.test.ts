import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { BrokerFrame } from '../../contract/frames.ts';
import { FrameTerminal } from './frame-terminal.ts';

const streams = { stdin: false, stdout: false, stderr: false, controlling: false };

function terminalOf(features: string[]) {
  const sent: BrokerFrame[] = [];
  const outgoing = { send: (frame: BrokerFrame) => void sent.push(frame) };
  const deps = { outgoing, clock: new ManualClock(), lookUpProcess: () => null };
  const terminal = new FrameTerminal(deps, { features, terminal: streams }, false);
  const answer = (id: number, value: string | null) => terminal.take({ kind: 'answer', id, value });
  return { sent, terminal, answer };
}

const inBase64 = (text: string) => Buffer.from(text).toString('base64');

describe('columns', () => {
  it.each([
    ['of a terminal', { stdout: true, columns: 120 }, 120],
    ['of an older helper’s', { stdout: true }, null],
    ['of what is no terminal', { stdout: false, columns: 120 }, null],
  ])('%s', (_, more, columns) => {
    const deps = { outgoing: { send: () => true }, clock: new ManualClock(), lookUpProcess: () => null };
    const hello = { features: [], terminal: { ...streams, ...more } };
    expect(new FrameTerminal(deps, hello, true).columns).toBe(columns);
  });
});

describe('environment', () => {
  it('asks the helper for these names and gives those that are set', async () => {
    const { sent, terminal, answer } = terminalOf(['environment']);
    const asked = terminal.environment(['KUBECONFIG', 'NO_COLOR']);
    expect(sent).toEqual([{ kind: 'environment', id: 1, names: ['KUBECONFIG', 'NO_COLOR'] }]);
    expect(answer(1, inBase64('{"KUBECONFIG":"/größe"}'))).toBeNull();
    expect(await asked).toEqual({ KUBECONFIG: '/größe' });
  });

  it('leaves out what was not asked for, whatever its name', async () => {
    const { terminal, answer } = terminalOf(['environment']);
    const asked = terminal.environment(['A']);
    answer(1, inBase64('{"A":"1","B":"2","__proto__":"3"}'));
    expect(Object.entries((await asked) ?? {})).toEqual([['A', '1']]);
  });

  it.each([
    ['nothing', null],
    ['what is no JSON', inBase64('{')],
    ['a list', inBase64('["A"]')],
    ['a number for a value', inBase64('{"A":1}')],
  ])('is not known where the helper answers %s', async (_, value) => {
    const { terminal, answer } = terminalOf(['environment']);
    const asked = terminal.environment(['A']);
    answer(1, value);
    expect(await asked).toBeNull();
  });

  it('knows names by their beginning, and takes nothing else for them', async () => {
    const { sent, terminal, answer } = terminalOf(['environment', 'run']);
    const asked = terminal.environment(['AWS_*', 'HOME']);
    expect(sent).toEqual([{ kind: 'environment', id: 1, names: ['AWS_*', 'HOME'] }]);
    const values = { AWS_PROFILE: 'a', AWS_: 'b', HOME: '/h', HOMES: 'c', XAWS_: 'd', AWS: 'e' };
    answer(1, inBase64(JSON.stringify(values)));
    expect(await asked).toEqual({ AWS_PROFILE: 'a', AWS_: 'b', HOME: '/h' });
  });

  it('doesn’t ask an older helper for names by their beginning, which it would take for none', async () => {
    const { sent, terminal } = terminalOf(['environment']);
    expect(await terminal.environment(['AWS_*'])).toBeNull();
    expect(sent).toEqual([]);
  });

  it('asks nothing for no names', async () => {
    const { sent, terminal } = terminalOf(['environment']);
    expect(await terminal.environment([])).toEqual({});
    expect(sent).toEqual([]);
  });

  it.each([
    [64 * 1024, true],
    [64 * 1024 + 1, false],
  ])('of %i bytes in all is known: %s', async (bytes, known) => {
    const { terminal, answer } = terminalOf(['environment', 'run']);
    const asked = terminal.environment(['A*']);
    // Two bytes for each ä.
    answer(1, inBase64(JSON.stringify({ A1: 'ä'.repeat(16 * 1024), A2: 'x'.repeat(bytes - 32 * 1024) })));
    expect((await asked) !== null).toBe(known);
  });

  it('is not asked for where the helper’s mask is without it (rule: door-mask)', async () => {
    const { sent, terminal } = terminalOf(['stderr', 'prompt', 'stdin']);
    expect(await terminal.environment(['A'])).toBeNull();
    expect(sent).toEqual([]);
  });

  it('is not known where the helper goes away meanwhile', async () => {
    const { terminal } = terminalOf(['environment']);
    const asked = terminal.environment(['A']);
    terminal.close();
    expect(await asked).toBeNull();
  });
});
