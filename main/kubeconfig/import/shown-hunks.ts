import type { Hunk } from '../edit/change.ts';

/** The hunks of one file for people. */
export function hunksText(hunks: readonly Hunk[], { file }: { file: string }): string {
  const lines = hunks.flatMap(({ removed, added }) => [
    ...removed.map((line) => `- ${line}`),
    ...added.map((line) => `+ ${line}`),
  ]);
  return [`--- ${file}`, ...lines].join('\n');
}

/** Where two texts differ; how is not shown yet, for it may be a secret. */
export function diffTexts(before: string, after: string): Hunk[] {
  const lines = (text: string) => text.split('\n').length;
  return [
    {
      oldLine: 1,
      newLine: 1,
      removed: [`(${lines(before)} lines)`],
      added: [`(${lines(after)} lines)`],
    },
  ];
}
