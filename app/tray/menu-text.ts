/** Longer names are cut in their middle: what tells them apart is at the ends (`arn:aws:eks:…:cluster/prod`). */
const most = 44;

/**
 * A name from config.yaml or a kubeconfig for a menu: without invisible characters, without changes of direction, at
 * most one line. Every system takes `&` in a label for its own mark, macOS too (Chromium's FixUpWindowsStyleLabel).
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
