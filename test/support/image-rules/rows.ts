import { configRows } from './config-rows.ts';
import { lookupRows } from './lookup-rows.ts';
import { matchRows } from './match-rows.ts';
import { nameRows } from './name-rows.ts';
import type { Question } from './questions.ts';
import { sessionRows } from './session-rows.ts';

/** The table: each one thing that the kubelet does with images, patterns, keys, configurations, responses and caches. */
export const rows: readonly Question[] = [
  ...nameRows,
  ...matchRows,
  ...lookupRows,
  ...configRows,
  ...sessionRows,
];
