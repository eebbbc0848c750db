import { describe, expect, it } from 'vitest';
import type { BrokerFrame } from '../contract/frames.ts';
import { FrameTerminal } from './frame-terminal.ts';

const streams = { stdin: false, stdout: false, stderr: false, controlling: false };

function terminalOf(features: string[]) {
  const sent: BrokerFrame[] = [];
  const outgoing = { send: (frame: BrokerFrame) => void sent.push(frame) };
  return { sent, terminal: new FrameTerminal(outgoing, { features, terminal: streams }, false) };
}

const inBase64 = (text: string) => Buffer.from(text).toString('base64');

describe('environment', () => {
  it('asks the helper for these names and gives those that are set', async () => {
    const { sent, terminal } = terminalOf(['environment']);
    const asked = terminal.environment(['KUBECONFIG', 'NO_COLOR']);
    expect(sent).toEqual([{ kind: 'environment', id: 1, names: ['KUBECONFIG', 'NO_COLOR'] }]);
    expect(terminal.answer(1, inBase64('{"KUBECONFIG":"/größe"}'))).toBe(true);
    expect(await asked).toEqual({ KUBECONFIG: '/größe' });
  });

  it('leaves out what was not asked for, whatever its name', async () => {
    const { terminal } = terminalOf(['environment']);
    const asked = terminal.environment(['A']);
    terminal.answer(1, inBase64('{"A":"1","B":"2","__proto__":"3"}'));
    expect(Object.entries((await asked) ?? {})).toEqual([['A', '1']]);
  });

  it.each([
    ['nothing', null],
    ['what is no JSON', inBase64('{')],
    ['a list', inBase64('["A"]')],
    ['a number for a value', inBase64('{"A":1}')],
  ])('is not known where the helper answers %s', async (_, value) => {
    const { terminal } = terminalOf(['environment']);
    const asked = terminal.environment(['A']);
    terminal.answer(1, value);
    expect(await asked).toBeNull();
  });

  it('is not asked for where the helper’s mask is without it', async () => {
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
