import { expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { helperWords, readHelperAnswer, saysNotFound, serverOfImage } from './helper-answer.ts';

test.each([
  ['docker.io/library/nginx', 'https://index.docker.io/v1/'],
  ['index.docker.io/team/app', 'https://index.docker.io/v1/'],
  ['ghcr.io/team/app', 'ghcr.io'],
  ['localhost:5000/app', 'localhost:5000'],
  ['ghcr.io', 'ghcr.io'],
])('for %s docker names %s to its helper', (image, server) => {
  expect(serverOfImage(image)).toBe(server);
});

test('only the protocol’s own text says that there is none', () => {
  expect(saysNotFound(new Secret('credentials not found in native keychain\n'))).toBe(true);
  expect(saysNotFound(new Secret('lanyard: credentials not found in native keychain'))).toBe(false);
});

test('an answer is read as Go reads it', () => {
  const found = readHelperAnswer(new Secret('{"username":"u","Secret":"s","Other":1}\n'));
  expect(found?.userName).toBe('u');
  expect(found?.password.reveal()).toBe('s');
  expect(readHelperAnswer(new Secret('nothing'))).toBeNull();
  expect(readHelperAnswer(new Secret('{"Secret":{}}'))).toBeNull();
});

/** (rule: no-secret-in-text) */
test.each([
  '{"ServerURL":"x","Username":"u","Secret":"canary"}',
  '  {"ServerURL":"x","Username":"u","Sec',
  'a warning\n{"Secret": "canary"}',
  "secret = 'canary'",
  String.raw`cannot decode "{\"Username\":\"u\",\"Secret\":\"canary\"}"`,
  '["canary"]',
])('an error’s text that could be an entry isn’t shown: %s', (text) => {
  expect(helperWords(new Secret(text))).toBe('(not shown: it could have a secret in it)');
});

test('an error’s text is one bounded line', () => {
  const text = 'pass not initialized: exit status 1: Error: password store is empty. Try "pass init".\n';
  expect(helperWords(new Secret(text))).toBe(text.trim());
  expect(helperWords(new Secret(`\u001b[31mred\u001b[0m\n${'x'.repeat(10_000)}`)).length).toBeLessThan(700);
  expect(helperWords(new Secret(`\u001b]0;title\u0007`))).not.toContain('\u001b');
});
