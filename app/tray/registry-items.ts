import { type Health, healthOf } from '../../main/contract/ui/health.ts';
import { leftWords, urgency } from '../../main/contract/ui/health-words.ts';
import type { RegistryView, UiState } from '../../main/contract/ui/state.ts';
import { menuText } from './menu-text.ts';
import type { TrayItem } from './tray-item.ts';

/** More are a click away, in the window. */
const mostLines = 3;

const attention: ReadonlySet<Health> = new Set(['need', 'bad', 'soon']);
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The registries that need attention, most urgent first. Those that are well have no line: a menu of clusters is long
 * enough.
 */
export function registryItems({ registries }: UiState, now: number): TrayItem[] {
  const found = Object.values(registries)
    // What is pending is listed above, with everything to approve.
    .filter(({ state }) => state !== 'held')
    .map((registry) => ({ registry, how: healthOf(registry, now) }))
    .filter(({ how }) => attention.has(how))
    .sort((a, b) => urgency[a.how] - urgency[b.how] || names.compare(a.registry.name, b.registry.name));
  const rest = found.length - mostLines;
  return found.length === 0
    ? []
    : [
        { kind: 'heading', label: 'Registries' },
        ...found.slice(0, mostLines).map(({ registry, how }) => lineOf(registry, how, now)),
        ...(rest > 0
          ? [
              {
                kind: 'action',
                label: rest === 1 ? '1 more registry…' : `${rest} more registries…`,
                action: { kind: 'show', route: '#/registries' },
              } as const,
            ]
          : []),
      ];
}

function lineOf(registry: RegistryView, how: Health, now: number): TrayItem {
  const { name, account, state } = registry;
  if (state === 'loginNeeded' || state === 'interrupted') {
    return { kind: 'action', label: `Log in to ${menuText(name)}…`, action: { kind: 'login', account } };
  }
  const words = leftWords(registry, how, now).large;
  return {
    kind: 'action',
    label: `${menuText(name)}: ${how === 'soon' ? `expires in ${words}` : words}`,
    action: { kind: 'show', route: `#/registries/${encodeURIComponent(name)}` },
  };
}
