import { replaceInvisible } from '../../main/contract/invisible.ts';

/** Cuts longer names in the middle: their ends tell them apart (`arn:aws:eks:…:cluster/prod`). */
const most = 44;

/**
 * A name from config.yaml or a kubeconfig for a menu: on one line, without invisible characters or changes of
 * direction. Escapes `&`, which every system reads as a mark in a label, even macOS (Chromium's
 * FixUpWindowsStyleLabel).
 */
export function menuText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ');
  const seen = replaceInvisible(line, () => '').trim();
  const characters = [...seen];
  const short =
    characters.length <= most
      ? seen
      : `${characters.slice(0, most / 2 - 1).join('')}…${characters.slice(-most / 2).join('')}`;
  return (short || '?').replaceAll('&', '&&');
}
