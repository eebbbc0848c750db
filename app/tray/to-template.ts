import type { MenuItemConstructorOptions } from 'electron';
import type { Act } from '../actions.ts';
import type { TrayItem } from './tray-item.ts';

/** The menu in Electron's format. */
export function toTemplate(items: readonly TrayItem[], act: Act): MenuItemConstructorOptions[] {
  return items.map((item) => lineOf(item, act));
}

function lineOf(item: TrayItem, act: Act): MenuItemConstructorOptions {
  switch (item.kind) {
    case 'separator':
      return { type: 'separator' };
    case 'heading':
      return { label: item.label, enabled: false };
    case 'action':
      return { label: item.label, click: () => act(item.action) };
    case 'choice':
      return { type: 'radio', label: item.label, checked: item.chosen, click: () => act(item.action) };
    case 'submenu':
      return { label: item.label, submenu: toTemplate(item.items, act) };
  }
}
