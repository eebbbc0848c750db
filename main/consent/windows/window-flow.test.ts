import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { silentLog } from '../../ports/log.ts';
import { pasteWindow } from './kinds/paste.ts';
import { createWindowFlow } from './window-flow.ts';
import { bodyLimitBytes, readFields } from './window-request.ts';

it('says what to do where more is pasted than a form may send', async () => {
  const kind = pasteWindow({
    gate: () => null,
    faultOf: () => null,
    done: () => undefined,
    signal: new AbortController().signal,
  });
  const person = { ask: async () => ({ kind: 'yes' }) } as never;
  const flow = createWindowFlow(kind, { clock: new ManualClock(), log: silentLog, person });
  expect(flow.show().html).toContain(`maxlength="${bodyLimitBytes}"`);
  const sent = await readFields(
    (async function* () {
      yield Buffer.from(`kubeconfig=${'x'.repeat(bodyLimitBytes)}`);
    })(),
  );
  const { status, html } = await flow.answer(sent);
  expect(status).toBe(413);
  expect(html).toContain('at most 256 KB');
  expect(html).toContain('lanyard kubeconfig import');
  expect(flow.end()).toBeNull();
});
