import type { TrayShape } from '../app/tray/tray-state.ts';

/*
 * Lanyard's pictures, drawn once: two strands, and what hangs from them. In the tray that is the mark that the clusters'
 * list has for the same state (renderer/ui/status-mark.tsx), so the state is read by its shape; colour comes on top.
 */

/** How a tray's picture is coloured: for a light ground, a dark one, an unknown one, or by macOS itself. */
export type TrayGround = 'light' | 'dark' | 'panel' | 'template';

/** As renderer/theme/tokens.css has them. */
const inks: Readonly<Record<'light' | 'dark', Readonly<Record<TrayShape | 'strands', string>>>> = {
  light: {
    strands: 'oklch(25% 0.015 255)',
    good: 'oklch(25% 0.015 255)',
    soon: 'oklch(53% 0.12 68)',
    need: 'oklch(50% 0.13 240)',
    bad: 'oklch(51% 0.19 25)',
    locked: 'oklch(25% 0.015 255)',
  },
  dark: {
    strands: 'oklch(98% 0.006 250)',
    good: 'oklch(98% 0.006 250)',
    soon: 'oklch(81% 0.13 80)',
    need: 'oklch(76% 0.12 228)',
    bad: 'oklch(75% 0.14 25)',
    locked: 'oklch(98% 0.006 250)',
  },
};

/** The picture of the tray for one state, on a grid of 16. */
export function traySvg(shape: TrayShape, ground: TrayGround): string {
  const ink = (part: TrayShape | 'strands') =>
    ground === 'template' ? '#000' : inks[ground === 'light' ? 'light' : 'dark'][part];
  // An edge for a light panel, which a dark one swallows.
  const edge =
    ground === 'panel' ? ' style="filter:drop-shadow(0 0 .6px #000) drop-shadow(0 0 .6px #000)"' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g fill="none"${edge}>
    <path d="${strands[shape]}" stroke="${ink('strands')}" stroke-width="1.5" stroke-linecap="round"/>
    <g color="${ink(shape)}">${marks[shape]}</g>
  </g></svg>`;
}

const apart = 'M3 .9C3.4 2.8 5.4 3.2 6.6 4.4M13 .9C12.6 2.8 10.6 3.2 9.4 4.4';
const strands: Readonly<Record<TrayShape, string>> = {
  good: apart,
  soon: apart,
  // Clear of the ring's gap.
  need: 'M2.8 .9C3.2 2.6 4.4 3 5.4 3.7M13.2 .9C12.8 2.6 11.6 3 10.6 3.7',
  bad: 'M3.2 1C3.6 3 5.6 3.2 6.8 4M12.8 1C12.4 3 10.4 3.2 9.2 4',
  // They would be taken for the lock's own shackle.
  locked: '',
};

const marks: Readonly<Record<TrayShape, string>> = {
  good: '<circle cx="8" cy="10.5" r="5.3" fill="currentColor"/>',
  soon: '<circle cx="8" cy="10.5" r="4.2" stroke="currentColor" stroke-width="2.2"/>',
  need: '<circle cx="8" cy="10.5" r="4.3" stroke="currentColor" stroke-width="2.2" stroke-dasharray="4.35 2.404" stroke-dashoffset="-1.2"/>',
  bad: '<path d="M8 4.2L14 10.2L8 16L2 10.2Z" fill="currentColor"/>',
  locked:
    '<path d="M4.75 8V5.25a3.25 3.25 0 0 1 6.5 0V8" stroke="currentColor" stroke-width="1.8"/><rect x="2.5" y="7.5" width="11" height="7.5" rx="1.6" fill="currentColor"/>',
};

/** The app's icon. `margin`: of 1024; macOS wants one around it, others none. */
export function appSvg(margin: number): string {
  const size = 1024 - 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 1024">
    <defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="oklch(52% 0.1 238)"/><stop offset="1" stop-color="oklch(33% 0.07 245)"/>
    </linearGradient></defs>
    <g transform="translate(${margin} ${margin}) scale(${size / 20})">
      <rect width="20" height="20" rx="4.5" fill="url(#g)"/>
      <g transform="translate(10 10) scale(.8) translate(-10 -10.2)" fill="none" stroke="#fff" stroke-width="2">
        <path d="M5 1.4c0 5.4 5 5.4 5 9.4M15 1.4c0 5.4-5 5.4-5 9.4" stroke-linecap="round"/>
        <rect x="6" y="10.8" width="8" height="8" rx="1.8" fill="#fff"/>
        <path d="M9 13.4h2" stroke="oklch(40% 0.09 240)" stroke-width="1.3" stroke-linecap="round"/>
      </g>
    </g>
  </svg>`;
}
