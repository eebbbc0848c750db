import type { ClusterRow } from './list-rows.ts';

/** At least as wide as it always was, and no wider than a sentence. */
const [least, most] = [14, 34];

/** How wide the column of names must be so that none is cut, in rem; within limits. */
export function nameWidth(rows: readonly ClusterRow[]): number {
  const widest = rows.reduce((width, { shown, cluster }) => {
    const mark = cluster.mark ? textWidth(cluster.mark.text) + 1.5 : 0;
    // With the star.
    return Math.max(width, textWidth(shown.short) + mark + 2.5, textWidth(shown.detail ?? ''));
  }, 0);
  return Math.max(least, Math.min(most, widest));
}

/** About: a letter of the East is as wide as it is high. */
function textWidth(text: string): number {
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/gu,
  );
  return text.length * 0.58 + (wide?.length ?? 0) * 0.45;
}
