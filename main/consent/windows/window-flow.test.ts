import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { silentLog } from '../../ports/log.ts';
import { pasteWindow } from './kinds/paste.ts';
import { createWindowFlow } from './window-flow.ts';
import { bodyLimitBytes, readFields } from './window-request.ts';

const sentForm = (body: string, size = body.length) =>
  readFields(
    (async function* () {
      for (let at = 0; at < body.length; at += size) {
        yield Buffer.from(body.slice(at, at + size));
      }
    })(),
  );

function openFlow() {
  const kind = pasteWindow({
    gate: () => null,
    faultOf: () => null,
    done: () => undefined,
    signal: new AbortController().signal,
  });
  const clock = new ManualClock();
  const person = { ask: async () => ({ kind: 'yes' }) } as never;
  return { clock, flow: createWindowFlow(kind, { clock, log: silentLog, person }) };
}

const tokenIn = (html: string) => /name="token" value="([^"]+)"/.exec(html)?.[1];

it.each([
  ['at once', undefined],
  ['in parts', 16_384],
])('asks again where more is pasted than a form may send: it comes %s', async (_, size) => {
  const { flow, clock } = openFlow();
  const shown = flow.show().html;
  expect(shown).toContain(`maxlength="${bodyLimitBytes}"`);
  const token = tokenIn(shown);
  const long = `token=${token}&kubeconfig=${'x'.repeat(bodyLimitBytes)}&answer=yes`;
  const { status, html } = await flow.answer(await sentForm(long, size));
  expect(status).toBe(200);
  expect(html).toMatch(/role="alert"[^>]*>Too long: a form takes at most 256 KB/);
  expect(html).toContain('lanyard kubeconfig import');
  expect([flow.end(), tokenIn(html)]).toEqual([null, token]);
  clock.advance(1_000);
  await flow.answer(await sentForm(`token=${token}&kubeconfig=x&answer=yes`));
  expect(flow.end()).toMatchObject({ heading: 'Kubeconfig received' });
});

it.each([
  ['without a token', ''],
  ['with another one', `token=${'A'.repeat(43)}&`],
])('shows no form to what is too long, %s: it isn’t the form’s', async (_, first) => {
  const { flow } = openFlow();
  flow.show();
  const sent = await sentForm(`${first}kubeconfig=${'x'.repeat(bodyLimitBytes)}`);
  const { status, html } = await flow.answer(sent);
  expect([status, tokenIn(html), flow.end()]).toEqual([413, undefined, null]);
  expect(html).toContain('Request rejected');
});
