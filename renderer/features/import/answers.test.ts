import { describe, expect, it } from 'vitest';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { foundWords, homeShort, plainWords } from '../start/found-words.ts';
import { agreedTo, canGoAtOnce, isYes, questionKey, withoutRefused, yesToAll } from './answers.ts';

type Question = ImportPlanView['questions'][number];

const question = (change: Partial<Question> = {}): Question => ({
  id: 'q0',
  kind: 'unknownAuthority',
  heading: '',
  asked: 'Trust the servers of this context?',
  lines: ['a at https://a.example: CA SHA-256 aa'],
  contexts: ['a'],
  wholeWord: false,
  ...change,
});

const plan = (change: Partial<ImportPlanView> = {}): ImportPlanView => ({
  id: 'p',
  inPlace: true,
  offlineAccess: null,
  files: [],
  allContexts: [],
  problems: [],
  users: [
    {
      user: 'corp',
      file: '/home/dev/.kube/config',
      line: 3,
      kind: 'kubelogin',
      description: 'OpenID at id.example.com',
      becomes: { account: 'corp', exists: false, replaces: false, needsLogin: true },
      neededBy: [],
      notes: [],
    },
  ],
  contexts: [],
  programs: [],
  questions: [],
  plain: { now: { count: 0, listed: [] }, after: { count: 0, listed: [] } },
  notes: [],
  stillHeld: [],
  diffs: [],
  sum: 'Import 1 account?',
  managed: '/m',
  ...change,
});

describe('answers to a plan’s questions', () => {
  it('are the plan’s only when each question has its yes', () => {
    const asked = plan({ questions: [question(), question({ id: 'q1', kind: 'replaces' })] });
    expect(agreedTo(asked, {})).toBeNull();
    expect(agreedTo(asked, { [questionKey(question())]: 'y' })).toBeNull();
    expect(agreedTo(asked, yesToAll(asked))).toEqual([
      { question: 'q0', word: 'y' },
      { question: 'q1', word: 'y' },
    ]);
  });

  it('are none of a question that says something else now', () => {
    const before = { [questionKey(question())]: 'y' };
    expect(isYes(question({ id: 'q3' }), before)).toBe(true);
    expect(isYes(question({ lines: ['a at https://evil.example: CA SHA-256 bb'] }), before)).toBe(false);
  });

  it('need the word typed in full where that is required', () => {
    const insecure = question({ kind: 'insecure', wholeWord: true });
    const of = (word: string) => isYes(insecure, { [questionKey(insecure)]: word });
    expect(['y', 'ye', '', 'no'].map(of)).toEqual([false, false, false, false]);
    expect(['yes', ' Yes '].map(of)).toEqual([true, true]);
  });

  it('can’t be given by one click where questions of other kinds are asked', () => {
    expect(canGoAtOnce(plan({ questions: [question()] }))).toBe(true);
    for (const kind of ['insecure', 'sharedAudience', 'replaces'] as const) {
      expect(canGoAtOnce(plan({ questions: [question(), question({ kind })] }))).toBe(false);
    }
    expect(canGoAtOnce(plan({ sum: null }))).toBe(false);
  });

  it('leave out what got a No, and what stays anyway', () => {
    const context = (name: string, left = false): ImportPlanView['contexts'][number] => ({
      context: name,
      name,
      server: '',
      user: '',
      becomes: left ? { left: 'no' } : { cluster: name, account: 'x', exists: false, replaces: null },
      notes: [],
    });
    const contexts = [context('a'), context('b'), context('c', true)];
    expect(withoutRefused({ contexts }, ['a'])).toEqual(['b']);
  });
});

describe('what was found, in words', () => {
  it('names users, what they are, and the file as users write it', () => {
    expect(foundWords(plan())).toBe('1 user in ~/.kube/config: corp (OpenID at id.example.com)');
    expect(homeShort('/srv/kube/config')).toBe('/srv/kube/config');
  });
  it('says how many secrets lie open', () => {
    expect(plainWords(plan())).toBeNull();
    const now = { count: 2, listed: [] };
    expect(plainWords(plan({ plain: { now, after: now } }))).toContain('2 secrets lie there in plain text');
  });
});
