import { expect, it } from 'vitest';
import { wayInMilliseconds } from './way-in-life.ts';

const own = { isOwn: true, isInit: false };
const hour = 3_600_000;

const init = { isOwn: true, isInit: true };
const child = (pid: number) => ({ pid, kinship: 'child' as const });
// (rule: way-in)
it.each<[string, Parameters<typeof wayInMilliseconds>, number | null | string]>([
  ['for kubectl, as long as it lives', [child(42), own], null],
  ['for a container’s only process, an hour', [child(1), init], hour],
  ['for one of a nested namespace, an hour', [child(42), init], hour],
  ['for pid 1 of a system that tells no namespaces, an hour', [child(1), own], hour],
  ['where the helper leads a session, an hour', [{ pid: 42, kinship: 'unclear' }, own], hour],
  ['for one that was adopted, never', [{ pid: 1, kinship: 'adopted' }, own], 'proxy.adopted'],
  ['for another user’s, never', [child(1), { isOwn: false, isInit: true }], 'proxy.otherUser'],
  ['for one that isn’t shown, never', [child(42), null], 'proxy.otherUser'],
])('%s', (_, [client, facts], expected) => {
  if (typeof expected === 'string') {
    expect(() => wayInMilliseconds(client, facts)).toThrow(
      expect.objectContaining({ code: expected, reason: 'notPermitted', hint: expect.any(String) }),
    );
  } else {
    expect(wayInMilliseconds(client, facts)).toBe(expected);
  }
});
