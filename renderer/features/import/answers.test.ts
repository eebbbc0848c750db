import { describe, expect, it } from 'vitest';
import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { cantWords, foundKinds, foundWords, homeShort, plainWords } from '../start/found-words.ts';
import { agreedTo, isYes, questionKey, sortContexts, withAnswer } from './answers.ts';

type Question = ImportPlanView['questions'][number];

const question = (change: Partial<Question> = {}): Question => ({
  id: 'q0',
  kind: 'unknownAuthority',
  heading: '',
  asked: 'Trust the servers of this context?',
  lines: ['a at https://a.example: CA SHA-256 aa'],
  contexts: ['a'],
  isUsual: true,
  ...change,
});

const plan = (change: Partial<ImportPlanView> = {}): ImportPlanView => ({
  id: 'p',
  inPlace: true,
  offlineAccess: null,
  files: [],
  allContexts: [],
  problems: [],
  hidden: [],
  refused: null,
  users: [
    {
      user: 'corp',
      file: '/home/dev/.kube/config',
      line: 3,
      kind: 'kubelogin',
      description: 'OpenID at id.example.com',
      becomes: { account: 'corp', exists: false, replaces: false, needsLogin: true, canBeNamed: false },
      of: 'corp',
      neededBy: [],
      notes: [],
    },
  ],
  contexts: [],
  programs: [],
  questions: [],
  plain: { now: { count: 0, listed: [] }, after: { count: 0, listed: [] }, given: 0 },
  notes: [],
  stillHeld: [],
  diffs: [],
  sum: 'Import 1 account?',
  managed: '/m',
  ...change,
});

const context = (name: string, left = false): ImportPlanView['contexts'][number] => ({
  context: name,
  name,
  server: '',
  user: '',
  becomes: left
    ? { left: 'no' }
    : { cluster: name, account: 'x', exists: false, replaces: null, canBeNamed: false },
  notes: [],
});

describe('answers to a plan’s questions', () => {
  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
  ])(
    'in the user’s own files: %s; what kubectl does anyway: %s; yes from the start: %s',
    (own, isUsual, yes) => {
      const asked = question({ isUsual });
      expect(isYes(asked, {}, own)).toBe(yes);
      for (const answer of [true, false]) {
        expect(isYes(asked, { [questionKey(asked)]: answer }, own)).toBe(answer);
      }
    },
  );

  it('are none of a question that says something else now', () => {
    const before = { [questionKey(question())]: false };
    expect(isYes(question({ id: 'q3' }), before, true)).toBe(false);
    const other = question({ lines: ['a at https://evil.example: CA SHA-256 bb'] });
    expect(isYes(other, { [questionKey(question())]: true }, false)).toBe(false);
  });

  it('that are a No stay one where the same is asked with other facts, such as a new name', () => {
    const answers = withAnswer({}, question(), false);
    const renamed = question({ lines: ['the credential of the account robot'] });
    expect(isYes(question(), answers, true)).toBe(false);
    expect(isYes(renamed, answers, true)).toBe(false);
    expect(isYes(question({ contexts: ['b'] }), answers, true)).toBe(true);
    // A Yes is for what was shown.
    const yes = withAnswer(answers, renamed, true);
    expect(isYes(renamed, yes, false)).toBe(true);
    expect(isYes(question({ lines: ['something else'] }), yes, false)).toBe(false);
  });

  it('leave out the contexts of each question without a yes, and what can’t be imported', () => {
    const contexts = [context('a'), context('b'), context('c', true)];
    const questions = [
      question({ contexts: ['a', 'b'] }),
      question({ id: 'q1', kind: 'insecure', contexts: ['b'], isUsual: false }),
    ];
    expect(agreedTo({ questions }, {}, true)).toEqual(['q0']);
    expect(sortContexts({ contexts, questions }, {}, true)).toEqual({
      imported: ['a'],
      leftOut: ['b'],
      cant: ['c'],
    });
    expect(sortContexts({ contexts, questions }, {}, false).imported).toEqual([]);
  });
});

describe('what was found, in words', () => {
  it('counts clusters and users, and names the file as users write it', () => {
    // Two contexts of one cluster.
    const contexts = [context('one'), { ...context('one'), context: 'one-system' }];
    expect(foundWords(plan({ contexts }))).toBe('1 cluster and 1 user in ~/.kube/config');
    expect(homeShort('/srv/kube/config')).toBe('/srv/kube/config');
  });
  it('sorts users by kind, logins first', () => {
    const [user] = plan().users;
    const of = (kind: string, description: string, needsLogin = false) => ({
      ...(user as ImportPlanView['users'][number]),
      kind,
      description,
      becomes: { account: kind, exists: false, replaces: false, needsLogin, canBeNamed: false },
    });
    const users = [
      of('staticToken', 'static token'),
      of('execPlugin', 'exec plugin aws (EKS)'),
      of('execPlugin', 'exec plugin aws (EKS)'),
      of('kubelogin', 'kubelogin at https://id.example.com', true),
      of('authProviderOidc', 'auth-provider oidc', true),
    ];
    expect(foundKinds({ users })).toEqual([
      { label: 'OpenID Connect login', count: 2, next: 'log in once' },
      { label: 'token', count: 1, next: 'ready' },
      { label: 'exec plugin aws (EKS)', count: 2, next: 'runs as before' },
    ]);
  });
  it('says how many contexts can’t be imported', () => {
    expect(cantWords({ contexts: [context('a')] })).toBeNull();
    expect(cantWords({ contexts: [context('a'), context('b', true)] })).toBe('1 context can’t be imported');
  });
  it('says how many secrets are in plain text, and whether they move', () => {
    expect(plainWords(plan(), 0)).toBeNull();
    const now = { count: 2, listed: [] };
    const words = (inPlace: boolean, left = 0, leftOut = 0) =>
      plainWords({ plain: { now, after: { count: left, listed: [] }, given: 0 }, inPlace }, leftOut);
    expect(words(true)).toContain(
      '2 secrets are stored there in plain text. Importing moves them to the vault.',
    );
    // One is in a separate file.
    expect(words(true, 1)).toContain('Importing moves up to 1 of them');
    // Nobody agreed to one of the contexts yet.
    expect(words(true, 0, 1)).toContain('Importing moves up to 2 of them');
    expect(words(false)).toContain('keeps its copies');
  });
});
