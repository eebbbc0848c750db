import { byGroup } from '../../contract/config/config.ts';
import { type EntryTexts, type LoadedEntries, loadedEntries } from '../loaded-config.ts';

/** No entry of any kind: tests add those that they need. */
export const noEntries: LoadedEntries = loadedEntries(() => new Map());

/** No shape and no form. */
export const noTexts: EntryTexts = byGroup(() => ({}));
