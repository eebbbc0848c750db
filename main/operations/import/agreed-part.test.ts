import { describe, expect, it } from 'vitest';
import type { PlannedUser, PlanQuestion } from '../../domain/import/import-plan.ts';
import type { PreparedImport } from '../../kubeconfig/import/prepare.ts';
import { agreedPart } from './agreed-part.ts';

const question = (kind: PlanQuestion['kind'], ...contexts: string[]): PlanQuestion => ({
  ...{ kind, contexts, lines: [], isUsual: false },
});
const config = {};

interface Becomes {
  cluster?: string;
  account?: string;
  replaces?: boolean;
  server?: string;
}

/** Each context, with a user of its name. */
function prepared(
  contexts: Readonly<Record<string, Becomes>>,
  questions: readonly PlanQuestion[],
  seen: object = config,
): PreparedImport {
  const each = Object.entries(contexts);
  const clusters = each.map(([context, { cluster = context, server = 's' }]) => ({
    context,
    becomes: { cluster, account: 'a', exists: false, replaces: null, value: { server } },
  }));
  const users = each.map(([user, { account = user, replaces = false }]) => ({
    user,
    becomes: { account, exists: false, replaces, value: {} } as unknown as PlannedUser['becomes'],
  }));
  return { plan: { clusters, users, questions }, seen } as unknown as PreparedImport;
}

describe('the part of an import that was agreed to', () => {
  const trust = question('unknownAuthority', 'a', 'b', 'c');
  const insecure = question('insecure', 'c');
  const all = prepared({ a: {}, b: {}, c: {} }, [trust, insecure]);

  it('is all of it, the same plan, where each question has a yes', async () => {
    const part = await agreedPart(all, [trust, insecure], () => Promise.reject(new Error('no new plan')));
    expect(part).toEqual({ prepared: all, contexts: null });
  });

  it('is a plan without the contexts of a question that has none', async () => {
    const less = prepared({ a: {}, b: {} }, [question('unknownAuthority', 'a', 'b')]);
    const asked: string[][] = [];
    const part = await agreedPart(all, [trust], async (contexts) => {
      asked.push(contexts);
      return less;
    });
    expect(asked).toEqual([['a', 'b']]);
    expect(part).toEqual({ prepared: less, contexts: ['a', 'b'] });
  });

  it.each<[string, Becomes]>([
    ['another cluster', { cluster: 'b-2' }],
    ['another server', { server: 'evil' }],
    ['another account', { account: 'old' }],
    ['an account whose secret is replaced', { replaces: true }],
  ])('is none where a context that is left becomes %s', async (_, b) => {
    const part = agreedPart(all, [trust], async () => prepared({ a: {}, b }, []));
    await expect(part).rejects.toMatchObject({ code: 'import.unanswered' });
  });

  it('is none where config.yaml has changed since the plan was shown', async () => {
    const part = agreedPart(all, [trust], async () => prepared({ a: {}, b: {} }, [], {}));
    await expect(part).rejects.toMatchObject({ code: 'import.changed' });
  });
});
