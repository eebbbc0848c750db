import { expect, it } from 'vitest';
import { calledWords, endWords, originText, questionSentence, yesWords } from './question-words.ts';
import type { QuestionView } from './state.ts';

const question: QuestionView = {
  id: '1',
  kind: 'approval',
  askedAt: 0,
  endsAt: 1,
  target: { kind: 'cluster', name: 'prod-eu' },
  account: 'corp',
  server: 'https://prod',
  caller: {
    lineage: ['kubectl', 'zsh', 'tmux'],
    executable: '/usr/bin/kubectl',
    pid: 7,
    origin: 'local',
    sure: true,
  },
  printed: false,
  unchecked: false,
  rows: [],
  policy: 'perTerminal',
  answers: ['once'],
  inWindow: false,
  onTerminal: true,
  waiting: 1,
  ended: null,
};

it('says in one sentence who wants what', () => {
  expect(questionSentence(question, 'dev@corp.example')).toBe(
    'kubectl (from zsh in tmux) wants to use prod-eu as dev@corp.example',
  );
  expect(questionSentence({ ...question, printed: true }, null)).toBe(
    'kubectl (from zsh in tmux) wants the credential for prod-eu in the clear, as corp',
  );
  expect(questionSentence({ ...question, target: { kind: 'shelf', name: 'prod' } }, null)).toBe(
    'kubectl (from zsh in tmux) wants to use shelf prod as corp',
  );
  const unknown = { ...question, kind: 'unknownServer' as const, target: null };
  expect(questionSentence({ ...unknown, caller: { ...question.caller, lineage: [] } }, null)).toBe(
    'A program wants to use https://prod as corp. Lanyard doesn’t know this server',
  );
});

it.each([
  ['local', true, null],
  ['ssh', true, 'It comes from an SSH session.'],
  ['local', false, 'Lanyard couldn’t verify which program is asking.'],
] as const)('where it comes from: %s, sure %s', (origin, sure, words) => {
  expect(originText({ ...question.caller, origin, sure })).toBe(words);
});

it.each([
  ['once', 'always', 'Allow once'],
  ['1h', 'perTerminal', 'For 1 hour, in this terminal'],
  ['policy', 'perTerminal', 'For as long as this terminal is open'],
  ['terminal', '8h', 'In this terminal alone, for 8 hours'],
  ['policy', '1d', 'For 1 day'],
] as const)('%s under %s', (answer, policy, words) => {
  expect(yesWords(answer, policy)).toBe(words);
});

it('says where it was answered', () => {
  expect(endWords({ how: 'yes', where: 'terminal' })).toBe('Answered on the terminal: yes.');
  expect(endWords({ how: 'no', where: 'page' })).toBe('Answered in a page: no.');
});

it('what the user calls a cluster is quoted, labelled and keeps its direction to itself', () => {
  expect(calledWords('prod')).toBe('called “\u2068prod\u2069”');
});
