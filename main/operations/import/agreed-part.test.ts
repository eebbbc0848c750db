import { describe, expect, it } from 'vitest';
import type { PlanQuestion } from '../../domain/import/import-plan.ts';
import type { PreparedImport } from '../../kubeconfig/import/prepare.ts';
import { agreedPart } from './agreed-part.ts';

const question = (kind: PlanQuestion['kind'], ...contexts: string[]): PlanQuestion => ({
  kind,
  contexts,
  lines: [],
  isUsual: false,
});

function prepared(contexts: readonly string[], questions: readonly PlanQuestion[]): PreparedImport {
  const clusters = contexts.map((context) => ({ context, becomes: { cluster: context } }));
  return { plan: { clusters, questions } } as unknown as PreparedImport;
}

describe('the part of an import that was agreed to', () => {
  const trust = question('unknownAuthority', 'a', 'b', 'c');
  const insecure = question('insecure', 'c');

  it('is all of it, the same plan, where each question has a yes', async () => {
    const all = prepared(['a', 'b', 'c'], [trust, insecure]);
    const part = await agreedPart(all, [trust, insecure], () => Promise.reject(new Error('no new plan')));
    expect(part).toEqual({ prepared: all, contexts: null });
  });

  it('is a plan without the contexts of a question that has none', async () => {
    const all = prepared(['a', 'b', 'c'], [trust, insecure]);
    const less = prepared(['a', 'b'], [question('unknownAuthority', 'a', 'b')]);
    const asked: string[][] = [];
    const part = await agreedPart(all, [trust], async (contexts) => {
      asked.push(contexts);
      return less;
    });
    expect(asked).toEqual([['a', 'b']]);
    expect(part).toEqual({ prepared: less, contexts: ['a', 'b'] });
  });

  it.each([
    ['another kind', question('replaces', 'a')],
    ['another context', question('unknownAuthority', 'a', 'd')],
  ])('is none where that plan asks about %s', async (_, news) => {
    const all = prepared(['a', 'b', 'c'], [trust, insecure]);
    const part = agreedPart(all, [trust], async () => prepared(['a', 'b'], [news]));
    await expect(part).rejects.toMatchObject({ code: 'import.unanswered' });
  });
});
