import { countPending } from '../../main/contract/pending-words.ts';
import { targetText } from '../../main/contract/target-name.ts';
import type { DesktopView, LockView, QuestionView, UiState } from '../../main/contract/ui/state.ts';
import { clockText } from '../../main/contract/ui/time-texts.ts';
import type { Action } from '../actions.ts';
import { clusterItems } from './cluster-items.ts';
import { inventoryItems } from './inventory-items.ts';
import { menuText } from './menu-text.ts';
import { registryItems } from './registry-items.ts';
import type { TrayItem } from './tray-item.ts';
import { isLocked } from './tray-state.ts';

/** The menu at `now`, in milliseconds since 1970. What needs the user comes first. */
export function trayMenu(state: UiState, now: number): TrayItem[] {
  const lock = state.lock['']?.kind ?? 'none';
  const parts = [
    waiting(state),
    troubles(state, lock),
    ...(isLocked(lock)
      ? [[action('Unlock…', { kind: 'unlock' })]]
      : [clusterItems(state, now), registryItems(state, now), inventoryItems(state, now)]),
    [
      ...contexts(state),
      ...(lock === 'open' ? [action('Lock', { kind: 'lock' })] : []),
      ...pauseItem(state.desktop[''], now),
    ],
    [action('Open Lanyard', { kind: 'show', route: null }), action('Quit Lanyard', { kind: 'quit' })],
  ];
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, at) => (at === 0 ? part : [{ kind: 'separator' } as const, ...part]));
}

/** More questions are in the window: a long menu is of no use. */
const mostQuestions = 5;
/** Someone touches one after the other. */
const mostTokens = 3;

function waiting({ questions, held, desktop, accounts }: UiState): TrayItem[] {
  const open = Object.values(questions)
    .filter(({ ended }) => ended === null)
    .toSorted((a, b) => a.askedAt - b.askedAt);
  const changes = countPending(held);
  const update = desktop['']?.update;
  return [
    ...open
      .slice(0, mostQuestions)
      .map((question) => action(questionText(question), { kind: 'question', id: question.id })),
    ...(open.length > mostQuestions
      ? [action(`${open.length - mostQuestions} more questions…`, { kind: 'show', route: null })]
      : []),
    ...Object.values(accounts)
      .filter(({ waitsAtToken }) => waitsAtToken)
      .slice(0, mostTokens)
      .map(({ name }) => action(`The token of ${menuText(name)} waits for you…`, accountView(name))),
    ...(changes > 0
      ? [action(changes === 1 ? 'Approve 1 change…' : `Approve ${changes} changes…`, { kind: 'confirm' })]
      : []),
    ...(update?.kind === 'ready'
      ? [action(`Update to ${menuText(update.version)}…`, { kind: 'show', route: '#/settings' })]
      : []),
  ];
}

function accountView(name: string): Action {
  return { kind: 'show', route: `#/accounts/${encodeURIComponent(name)}` };
}

function questionText({ kind, target, caller }: QuestionView): string {
  const who = menuText(caller.lineage[0] ?? 'A program');
  return kind === 'unknownServer' || target === null
    ? `${who} wants to use an unknown server…`
    : `${who} wants to use ${menuText(targetText(target))}…`;
}

function troubles({ problems }: UiState, lock: LockView['kind']): TrayItem[] {
  const { config = [], history = [] } = problems[''] ?? {};
  const settings: Action = { kind: 'show', route: '#/settings' };
  return [
    ...(lock === 'broken' ? [action('The vault can’t be read', { kind: 'show', route: null })] : []),
    ...(config.some(({ severity }) => severity === 'error')
      ? [action('config.yaml has an error', settings)]
      : []),
    ...(history.length > 0 ? [action('The history has a problem', settings)] : []),
  ];
}

function contexts({ contexts }: UiState): TrayItem[] {
  const view = contexts[''];
  if (!view || view.contexts.length === 0) {
    return [];
  }
  const items = view.contexts.map(
    ({ name }): TrayItem => ({
      kind: 'choice',
      label: menuText(name),
      chosen: name === view.current,
      action: { kind: 'useContext', context: name },
    }),
  );
  const more: TrayItem[] =
    view.more > 0 ? [{ kind: 'heading', label: `${view.more} more: see lanyard context` }] : [];
  return [{ kind: 'submenu', label: 'Switch context', items: [...items, ...more] }];
}

const minute = 60_000;

function pauseItem(desktop: DesktopView | undefined, now: number): TrayItem[] {
  const until = desktop?.notificationsPausedUntil ?? null;
  if (until !== null && until > now) {
    const label = `Resume notifications (paused until ${clockText(until, now)})`;
    return [action(label, { kind: 'pauseNotifications', span: null })];
  }
  const items = [
    action('For 30 minutes', { kind: 'pauseNotifications', span: 30 * minute }),
    action('For 1 hour', { kind: 'pauseNotifications', span: 60 * minute }),
    action('Until tomorrow', { kind: 'pauseNotifications', span: 'untilTomorrow' }),
  ];
  return [{ kind: 'submenu', label: 'Pause notifications', items }];
}

function action(label: string, does: Action): TrayItem {
  return { kind: 'action', label, action: does };
}
