import { counted } from '../../main/contract/ui/count-text.ts';
import { needsAttention, troubleWords } from '../../main/contract/ui/inventory-attention.ts';
import type { InventoryView, UiState } from '../../main/contract/ui/state.ts';
import { menuText } from './menu-text.ts';
import type { TrayItem } from './tray-item.ts';

/** More are a click away, in the window. */
const mostLines = 3;

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The inventories that need attention: first those whose source fails, then those with profiles pending approval. Others
 * have no line.
 */
export function inventoryItems({ inventories }: Pick<UiState, 'inventories'>, now: number): TrayItem[] {
  const all = Object.values(inventories).toSorted((a, b) => names.compare(a.name, b.name));
  const failing = all.filter((each) => needsAttention(each, now));
  const pending = all.filter((each) => each.profiles.pending > 0);
  const lines = [
    ...failing.map((each) => lineOf(each, troubleWords(each))),
    ...pending.map((each) => lineOf(each, pendingWords(each))),
  ];
  const rest = lines.length - mostLines;
  return lines.length === 0
    ? []
    : [
        { kind: 'heading', label: 'Inventories' },
        ...lines.slice(0, mostLines),
        ...(rest > 0
          ? [
              {
                kind: 'action',
                label: `${rest} more…`,
                action: { kind: 'show', route: '#/inventories' },
              } as const,
            ]
          : []),
      ];
}

function lineOf({ name }: InventoryView, words: string): TrayItem {
  return {
    kind: 'action',
    label: `${menuText(name)}: ${words}`,
    action: { kind: 'show', route: `#/inventories/${encodeURIComponent(name)}` },
  };
}

function pendingWords({ profiles: { pending } }: InventoryView): string {
  return `${counted(pending, 'profile')} pending approval`;
}
