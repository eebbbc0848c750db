/** Cuts longer names in the middle: their ends tell them apart (`arn:aws:eks:…:cluster/prod`). */
const most = 44;

/**
 * A name from config.yaml or a kubeconfig for a menu: on one line, without invisible characters or changes of
 * direction. Escapes `&`, which every system reads as a mark in a label, even macOS (Chromium's
 * FixUpWindowsStyleLabel).
 */
export function menuText(text: string): string {
  const seen = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{C}\u115f\u1160\u3164\uffa0]/gu, '')
    .trim();
  const characters = [...seen];
  const short =
    characters.length <= most
      ? seen
      : `${characters.slice(0, most / 2 - 1).join('')}…${characters.slice(-most / 2).join('')}`;
  return (short || '?').replaceAll('&', '&&');
}
