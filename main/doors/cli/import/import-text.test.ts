import { describe, expect, it } from 'vitest';
import type { DoneImport, ShownImport } from './import-json.ts';
import { doneText, planText } from './import-text.ts';

const user = (name: string, account: string, notes: readonly string[] = []) => ({
  user: name,
  description: 'kubelogin at https://id.example.com (kubernetes)',
  becomes: { account, exists: false, replaces: false, secrets: {}, next: `lanyard login ${account}` },
  neededBy: [],
  plainNow: [],
  plainAfterInPlace: [],
  notes,
});
const context = (name: string, cluster = name, displayName?: string) => ({
  context: name,
  server: `https://${name.length}AA11BB22.gr7.eu-west-1.eks.amazonaws.com`,
  becomes: { cluster, exists: false, replaces: null, account: name, value: { displayName } },
  notes: [],
});

/** As much of an import as its texts read. */
const shown = (users: readonly object[], contexts: readonly object[] = []) =>
  ({
    merged: {
      files: [],
      problems: [],
      users: new Map(),
      clusters: new Map(),
      contexts: new Map(contexts.map((each) => [each, each])),
      hidden: [],
    },
    prepared: {
      plan: {
        users,
        clusters: contexts,
        unused: { clusters: [], users: [] },
        questions: [],
        plainElsewhere: [],
        offlineAccess: null,
        notes: [],
      },
      files: [],
      edits: [],
    },
    selection: { inPlace: false, contexts: null },
    managed: '/home/dev/.lanyard/kubeconfig',
    config: '/home/dev/.lanyard/config.yaml',
    outcomes: [],
    warnings: [],
    confirms: true,
  }) as unknown as ShownImport & DoneImport;

describe('the plan of an import', () => {
  it('says where there is nothing to import', () => {
    const nothing = 'There are no contexts, so there is nothing to import.';
    expect(planText(shown([]))).toContain(nothing);
    expect(planText(shown([], [context('prod')]))).not.toContain(nothing);
  });

  it('has a note that several users share once', () => {
    const text = planText(
      shown([user('dev', 'corp', ['kept apart']), user('admin', 'corp', ['kept apart', 'its own'])]),
    );
    expect(text).toContain('\n  dev, admin: kept apart\n  admin: its own\n');
  });

  it('fits the terminal, and tells long names apart', () => {
    const arn = (name: string) => `arn:aws:eks:eu-west-1:111122223333:cluster/${name}`;
    const given = shown([], [context(arn('payments-production')), context(arn('payments-staging'))]);
    const rows = planText(given, { columns: 90 })
      .split('\n')
      .filter((row) => row.includes('payments'));
    expect(rows).toHaveLength(2);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(90);
    expect(planText(given)).toContain(arn('payments-staging'));
  });

  it('has the name that commands take, and the one that the user knows', () => {
    const text = planText(shown([], [context('الإنتاج', 'cluster', 'الإنتاج'), context('lab')]));
    expect(text).toMatch(/^الإنتاج +https:\S+ +cluster \(الإنتاج\) +الإنتاج$/m);
    expect(text).toMatch(/^lab +https:\S+ +lab +lab$/m);
  });

  it('says once what comes next for users that share an account', () => {
    const text = doneText(
      shown([user('dev', 'corp'), user('admin', 'corp'), user('ops', 'ops')]),
      'kubectl --context dev',
    );
    expect(text).toMatch(
      /\nNext: lanyard login corp; lanyard login ops\nUse it with: kubectl --context dev$/,
    );
  });
});
