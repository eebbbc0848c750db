import { visibleText } from '../text/visible-text.ts';

/** A cluster’s name, which commands take, with what the user calls it: `cluster (الإنتاج)`. */
export function calledText(name: string, displayName: string | null | undefined): string {
  return displayName == null || displayName === name ? name : `${name} (${visibleText(displayName, 80)})`;
}
