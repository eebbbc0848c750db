import { describe, expect, it } from 'vitest';
import { styled } from '../../domain/text/style.ts';
import { columnsOf, table } from './table.ts';

const heading = ['CLUSTER', 'SERVER', 'STATE'];

describe('a table', () => {
  it('is as wide as its cells where nothing says how wide the terminal is', () => {
    const name = 'x'.repeat(200);
    expect(table([heading, [name, 'https://a', 'ready']])).toContain(name);
    expect(columnsOf({})).toBeNull();
    expect(columnsOf({ columns: 80 }, true)).toBeNull();
  });

  it('fits the terminal: the widest columns give way, the others stay whole', () => {
    const rows = [
      heading,
      [
        'arn:aws:eks:eu-west-1:111122223333:cluster/prod-payments',
        'https://AA11.gr7.eu-west-1.eks.amazonaws.com',
        'log in',
      ],
      ['prod-eu', 'https://prod-eu.corp.example:6443', styled.yellow('pending approval')],
    ];
    const lines = table(rows, 80).split('\n');
    expect(lines.map((line) => line.replace(/[\ufdd0-\ufdef]/g, ''))).toEqual([
      'CLUSTER                    SERVER                               STATE',
      '…eu-west-1…/prod-payments  AA11.gr7.eu-w…t-1.eks.amazonaws.com  log in',
      'prod-eu                    https://prod-eu.corp.example:6443    pending approval',
    ]);
  });

  it('leaves names whole that would look the same', () => {
    const names = ['a', 'b'].map((letter) => `team-platform-${letter}-production-cluster-europe-west`);
    const text = table([['CLUSTER', 'ACCOUNT'], ...names.map((name) => [name, 'corp'])], 30);
    expect(text).toContain(names[0]);
    expect(text).toContain(names[1]);
  });

  it('says all that there is where a terminal is too narrow for it', () => {
    expect(table([heading, ['prod-eu', 'https://a', 'ready']], 10)).toBe(
      'CLUSTER  SERVER     STATE\nprod-eu  https://a  ready',
    );
  });
});
