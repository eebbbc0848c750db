import { expect, it } from 'vitest';
import { rawWordsIn } from '../../../test/support/raw-words.ts';
import type { AccountStatus, RegistryStatus, Status } from '../../access/status.ts';
import { aClusterStatus, anAccountStatus } from '../../access/testing/a-status.ts';
import { callOutcomes, doorNames, sourceNames } from '../../contract/doors.ts';
import { accountKind, accountView, clusterView, registryView } from '../../contract/ui/state.ts';
import { withoutStyle } from '../../domain/text/style.ts';
import { callEvent, oneOfEach } from '../../history/testing/sample-events.ts';
import { eventSentence, whys } from '../../operations/event-sentence.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import { auditCells, auditHeading } from './activity/audit-cells.ts';
import { registriesTable } from './status/registries-table.ts';
import { needsText, ownNeeds } from './status/status-needs.ts';
import { accountsTable, clustersTable } from './status/status-tables.ts';
import { table } from './table.ts';

/** A state of the broker with everything of every kind, in every state: no name of the program reaches a table. */
const account = (kind: AccountStatus['kind'], state: AccountStatus['state'], pending: boolean) =>
  anAccountStatus('a', { kind, state, pending, advice: 'lanyard doctor' });
const accounts = accountKind.options.flatMap((kind) =>
  accountView.shape.state.options.flatMap((state) => [
    account(kind, state, false),
    account(kind, state, true),
  ]),
);
const clusters = clusterView.shape.state.options.flatMap((state) =>
  [false, true].map((pending) => aClusterStatus('c', { account: 'a', state, pending, isInsecure: pending })),
);
const registries = registryView.shape.state.options.map(
  (state): RegistryStatus => ({
    name: 'r',
    matchImages: ['r.example'],
    account: 'a',
    state,
    pending: true,
    expiresAt: null,
  }),
);
const held = (['account', 'cluster', 'registry', 'inventory', 'setting', 'program', 'module'] as const).map(
  (what) => ({ what, name: 'x', change: 'new', served: false }),
);
const vaults = [
  { kind: 'open' },
  { kind: 'none' },
  { kind: 'locked' },
  { kind: 'broken', reason: 'it is damaged', hint: 'lanyard vault restore' },
];

it('accounts, clusters and registries show words, in every state', () => {
  const texts = [
    accountsTable(accounts, null),
    clustersTable(clusters, null),
    registriesTable(registries, null),
    ...vaults.map((vault) =>
      needsText(ownNeeds({ vault, held, accounts, clusters, registries } as unknown as Status)),
    ),
  ];
  expect(rawWordsIn(withoutStyle(texts.join('\n')))).toEqual([]);
});

it('the history says each event in words', () => {
  const generation = oneOfEach.find((each) => each.kind === 'generation') as HistoryEvent;
  const approval = oneOfEach.find((each) => each.kind === 'approval') as HistoryEvent;
  const policies = ['always', 'perTerminal', '15m', 'unknownServer', 'execCredential'];
  const events = [
    ...oneOfEach,
    ...policies.map((policy) => ({ ...approval, policy }) as HistoryEvent),
    ...Object.keys(whys).map((why) => ({ ...generation, why }) as HistoryEvent),
    ...doorNames.flatMap((door) => callOutcomes.map((outcome) => callEvent({ door, outcome }))),
  ];
  expect(rawWordsIn(events.map((event) => eventSentence(event)).join('\n'))).toEqual([]);
});

it('the audit shows sources and decisions as the page calls them', () => {
  const rows = doorNames.flatMap((door) =>
    callOutcomes.map((outcome) => auditCells(0, callEvent({ door, outcome, reason: 'held' }), 0)),
  );
  expect(rawWordsIn(table([auditHeading, ...rows]))).toEqual([]);
  const at = auditHeading.indexOf('SOURCE');
  expect([...new Set(rows.map((row) => row[at]))]).toEqual(Object.values(sourceNames));
});
