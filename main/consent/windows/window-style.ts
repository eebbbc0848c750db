import type { MarkColor } from '../../contract/config/mark-colors.ts';

/** For light and dark grounds: those of renderer/theme/tokens.css, which these pages don’t load. */
const ownColor: Readonly<Record<MarkColor, string>> = {
  red: 'light-dark(oklch(52% .17 25), oklch(70% .15 25))',
  orange: 'light-dark(oklch(55% .14 50), oklch(76% .14 50))',
  yellow: 'light-dark(oklch(56% .115 90), oklch(84% .14 90))',
  green: 'light-dark(oklch(52% .13 145), oklch(76% .15 145))',
  teal: 'light-dark(oklch(52% .09 190), oklch(77% .11 190))',
  blue: 'light-dark(oklch(52% .16 255), oklch(72% .13 255))',
  purple: 'light-dark(oklch(50% .19 300), oklch(72% .15 300))',
  pink: 'light-dark(oklch(55% .2 350), oklch(74% .15 350))',
};
const ownColors = Object.entries(ownColor)
  .map(([name, color]) => `.own.${name} { --own: ${color}; }`)
  .join('\n');

/** The look of the broker's own windows: one style element, whose digest the page's policy names. */
export const windowStyle = `
:root { color-scheme: light dark;
  --bg: oklch(98.6% .003 250); --panel: oklch(100% 0 0); --line: oklch(91% .006 250); --edge: oklch(62% .012 255);
  --text: oklch(25% .015 255); --mute: oklch(48% .015 255);
  --accent: oklch(50% .13 240); --on-accent: oklch(100% 0 0); --good: oklch(50% .11 178); --bad: oklch(52% .19 25); --soon: oklch(66% .14 68);
  --plus: oklch(44% .1 160); --plus-bg: oklch(96% .03 165); --minus: oklch(46% .16 25); --minus-bg: oklch(96.5% .02 25);
  --focus: oklch(55% .16 255); --shade: oklch(40% .02 255 / .28); }
@media (prefers-color-scheme: dark) { :root {
  --bg: oklch(20% .012 255); --panel: oklch(23% .013 255); --line: oklch(31% .014 255); --edge: oklch(55% .014 255);
  --text: oklch(93% .006 250); --mute: oklch(72% .012 250);
  --accent: oklch(76% .12 228); --on-accent: oklch(18% .02 240); --good: oklch(76% .11 178); --bad: oklch(74% .15 25); --soon: oklch(80% .13 80);
  --plus: oklch(84% .1 165); --plus-bg: oklch(27% .035 170); --minus: oklch(82% .1 25); --minus-bg: oklch(28% .04 25);
  --focus: oklch(72% .14 255); --shade: oklch(0% 0 0 / .6); } }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px;
  font: 14px/1.5 system-ui, "Segoe UI", sans-serif; font-variant-numeric: tabular-nums;
  color: var(--text); background: var(--bg); }
main { display: flex; flex-direction: column; width: min(640px, 100%); max-height: calc(100dvh - 48px); padding: 24px 0 0; background: var(--panel);
  border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere; }
header, h1, main > p { padding-left: 28px; padding-right: 28px; flex: none; }
main > p:last-child { padding-bottom: 28px; }
form { display: flex; flex-direction: column; min-height: 0; }
/* It alone scrolls. Its shadows say that there is more above or below. */
.body { min-height: 0; overflow-y: auto; overscroll-behavior: contain; padding: 0 28px 20px; margin-top: 4px;
  background: linear-gradient(var(--panel) 30%, transparent) 0 0 / 100% 32px no-repeat local,
    linear-gradient(transparent, var(--panel) 70%) 0 100% / 100% 32px no-repeat local,
    linear-gradient(var(--shade), transparent) 0 0 / 100% 10px no-repeat scroll,
    linear-gradient(transparent, var(--shade)) 0 100% / 100% 10px no-repeat scroll; }
.foot { flex: none; padding: 16px 28px 24px; border-top: 1px solid var(--line); }
.foot > .danger { margin: 0 0 16px; }
header { display: flex; gap: 8px; align-items: center; margin-bottom: 24px; color: var(--mute); font-weight: 600; }
header .until { margin-left: auto; font-weight: 400; }
h1 { display: flex; gap: 12px; align-items: center; font-size: 20px; line-height: 1.3; font-weight: 640; letter-spacing: -.01em; }
h2 { font-size: 14px; font-weight: 600; padding: 8px 12px; border-bottom: 1px solid var(--line); }
.state { flex: none; width: 12px; height: 12px; border-radius: 50%; background: var(--good); }
.bad .state { background: var(--bad); border-radius: 2px; transform: rotate(45deg); }
.wait .state { background: none; border: 3px solid var(--soon); }
p { margin-top: 12px; }
.own { width: fit-content; padding: 0 8px; border: 1px solid var(--own); border-left-width: 6px; border-radius: 4px; font-weight: 560; }
${ownColors}
.quiet { color: var(--mute); }
.danger { padding: 8px 12px; border: 1px solid var(--bad); border-radius: 8px; color: var(--bad); font-weight: 560; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin-top: 16px; padding: 12px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--bg); }
dt { color: var(--mute); }
dd { font-family: ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", monospace; font-size: 13px; }
.change { margin-top: 16px; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.risk { margin: 0; padding: 6px 12px; font-weight: 560; color: var(--bad); border-bottom: 1px solid var(--line); }
.risk::before { content: "! "; font-family: ui-monospace, monospace; }
.lines { padding: 8px 0; font: 13px/1.6 ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
.lines span { display: block; min-height: 1.6em; padding: 0 12px; }
.plus { color: var(--plus); background: var(--plus-bg); }
.minus { color: var(--minus); background: var(--minus-bg); }
summary { padding: 8px 12px; border-top: 1px solid var(--line); cursor: pointer; color: var(--mute); }
h2 label { display: flex; gap: 8px; align-items: baseline; margin: 0; font-weight: inherit; }
h2 input { flex: none; width: auto; margin: 0; }
label { display: block; margin-top: 16px; font-weight: 560; }
.hint { display: block; color: var(--mute); font-weight: 400; }
input, textarea { display: block; width: 100%; margin-top: 4px; padding: 8px 10px; color: inherit; background: var(--bg);
  border: 1px solid var(--edge); border-radius: 8px; font: inherit; font-size: 15px; }
textarea { min-height: 160px; font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; resize: vertical; }
.ends { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end; }
.ends.enter-yes { flex-direction: row-reverse; justify-content: flex-start; }
.more { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 20px; padding: 12px 0 0; border: 0; border-top: 1px solid var(--line); }
.more legend { float: left; width: 100%; padding: 0; color: var(--mute); }
button { min-height: 34px; padding: 6px 16px; font: inherit; font-weight: 560; color: inherit; background: none;
  border: 1px solid var(--edge); border-radius: 8px; cursor: pointer; }
.more button { flex: 1 1 auto; padding: 6px 10px; font-weight: 500; }
button.yes { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
/* As long as Lanyard takes no Yes (readingMilliseconds): not a motion, so it isn't reduced. */
button.later { animation: later 1s step-end; }
@keyframes later { from { pointer-events: none; } }
button:hover { border-color: var(--text); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
@media (forced-colors: active) { .state, .bad .state, .wait .state { forced-color-adjust: none; } }
/* A dialog is all page. */
@media (max-width: 600px) { body { display: block; padding: 0; background: var(--panel); }
  main { width: 100%; height: 100dvh; max-height: none; border: 0; border-radius: 0; } form { flex: 1; } .body { flex: 1; } }
/* Low: what is asked needs the room. */
@media (max-height: 340px) { main { padding-top: 4px; } header { margin-bottom: 0; } .foot { padding: 6px 28px; }
  .more { margin-top: 6px; padding-top: 6px; } }
/* Too low for three parts, as with text of 400%: the page scrolls, and the buttons stay. */
@media (max-height: 260px) { main { height: auto; max-height: none; } .body { overflow-y: visible; }
  .foot { position: sticky; bottom: 0; background: var(--panel); } }
@media (max-width: 480px) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 8px; } }
`;
