import { describe, expect, it } from 'vitest';
import { readArguments, type Start } from './arguments.ts';

describe('the words that the app is started with', () => {
  const desktop: Start = { kind: 'desktop', hidden: false, route: null, lock: false };
  it.each<[string[], Start]>([
    [[], desktop],
    [['--hidden'], { ...desktop, hidden: true }],
    [['--show=#/clusters/prod'], { ...desktop, route: '#/clusters/prod' }],
    [['--lock'], { ...desktop, lock: true }],
    [['--show=#/clusters/a%20b'], { ...desktop, route: '#/clusters/a%20b' }],
    [['--show=https://evil.example/'], desktop],
    [['--show=#/x?javascript:alert(1)'], desktop],
    [[`--show=#/${'x'.repeat(2_000)}`], desktop],
    [['--ozone-platform=wayland', '--hidden'], { ...desktop, hidden: true }],
    // A file that the user drops on the app or opens with it.
    [['/home/alice/agent'], desktop],
    [['/home/alice/x', 'agent'], desktop],
    [['/home/alice/x', 'leave'], desktop],
    [['leave'], { kind: 'leave' }],
    [['agent'], { kind: 'headless', args: [] }],
    [['agent', '--passphrase-file', '/p'], { kind: 'headless', args: ['--passphrase-file', '/p'] }],
    [
      [
        '--ozone-platform=headless',
        '--no-sandbox',
        'agent',
        'doctor',
        '--unreachable',
        'no broker',
        '--json',
      ],
      { kind: 'headless', args: ['doctor', '--unreachable', 'no broker', '--json'] },
    ],
    // The command itself checks what the user typed.
    [['agent', '--no-sandbox'], { kind: 'headless', args: ['--no-sandbox'] }],
  ])('%j', (words, expected) => {
    expect(readArguments(words)).toEqual(expected);
  });
});
