/** The look of the receiver's pages: one style element, whose digest the page's policy names. */
export const pageStyle = `
:root { color-scheme: light dark;
  --bg: oklch(98.6% .003 250); --panel: oklch(100% 0 0); --line: oklch(91% .006 250);
  --text: oklch(25% .015 255); --mute: oklch(50% .015 255);
  --good: oklch(58% .11 178); --bad: oklch(56% .19 25); --soon: oklch(66% .14 68); }
@media (prefers-color-scheme: dark) { :root {
  --bg: oklch(20% .012 255); --panel: oklch(23% .013 255); --line: oklch(31% .014 255);
  --text: oklch(93% .006 250); --mute: oklch(70% .012 250);
  --good: oklch(76% .11 178); --bad: oklch(72% .15 25); --soon: oklch(80% .13 80); } }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: grid; place-items: center; padding: 24px;
  font: 15px/1.5 system-ui, "Segoe UI", sans-serif; color: var(--text); background: var(--bg); }
main { width: min(440px, 100%); padding: 24px 28px 28px; background: var(--panel);
  border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere; }
header { display: flex; gap: 8px; align-items: center; margin-bottom: 24px; color: var(--mute); font-weight: 600; }
h1 { display: flex; gap: 12px; align-items: center; font-size: 20px; line-height: 1.3; font-weight: 640; letter-spacing: -.01em; }
.state { flex: none; width: 12px; height: 12px; border-radius: 50%; background: var(--good); }
.bad .state { background: var(--bad); border-radius: 2px; transform: rotate(45deg); }
.wait .state { background: none; border: 3px solid var(--soon); }
p { margin-top: 12px; }
.who { font-size: 17px; font-weight: 560; }
.next { padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--bg);
  font-size: 14px; }
.quiet { color: var(--mute); }
@media (forced-colors: active) { .state, .bad .state, .wait .state { forced-color-adjust: none; } }
`;
