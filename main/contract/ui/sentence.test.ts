import { expect, test } from 'vitest';
import { sentence } from './sentence.ts';

test('words become a sentence; a name, a host and a command stay as they are written', () => {
  expect(sentence('nobody is logged in')).toBe('Nobody is logged in.');
  expect(sentence('why not?')).toBe('Why not?');
  expect(sentence('kubectl got the credential of prod')).toBe('kubectl got the credential of prod.');
  expect(sentence('id.example.com is reached through a proxy')).toBe(
    'id.example.com is reached through a proxy.',
  );
  expect(sentence('/usr/bin/aws is not there')).toBe('/usr/bin/aws is not there.');
  expect(sentence('exec: executable aws failed')).toBe('exec: executable aws failed.');
  expect(sentence('card: the PIN is wrong')).toBe('card: the PIN is wrong.');
  expect(sentence('run: lanyard login corp')).toBe('Run: lanyard login corp');
  expect(sentence('lanyard login corp')).toBe('lanyard login corp');
  expect(sentence('lanyard secret set bot/clientSecret < FILE')).toBe(
    'lanyard secret set bot/clientSecret < FILE',
  );
});

test('the name of an account keeps its case, whatever is said of it', () => {
  for (const words of [
    'corp has no token yet',
    'bot2 isn’t logged in',
    'team-bot needs a login: its token has expired',
  ]) {
    expect(sentence(words)).toBe(`${words}.`);
  }
  expect(sentence('docker2podman failed')).toBe('docker2podman failed.');
});

test('what begins with no name is a sentence like any other', () => {
  expect(sentence('it is pending approval')).toBe('It is pending approval.');
  expect(sentence('plugin failed')).toBe('Plugin failed.');
  expect(sentence('renewal failed')).toBe('Renewal failed.');
  expect(sentence('there is no update')).toBe('There is no update.');
  expect(sentence('multi-factor authentication was asked for')).toBe(
    'Multi-factor authentication was asked for.',
  );
});
