/** How often a visible page reports that it is visible. */
const presentMilliseconds = 60_000;

export interface PresenceListener {
  /** The page has just become visible. */
  onSeen(): void;
  /** The page is visible. `input`: the user has used it since the last message. */
  onPresent(input: boolean): void;
}

/** Reports whether the user may see the page. An invisible page reports nothing. */
export function watchPresence(
  window: Pick<Window, 'document' | 'addEventListener' | 'setInterval'>,
  { onSeen, onPresent }: PresenceListener,
): void {
  const { document } = window;
  let input = false;
  const say = () => {
    if (document.visibilityState === 'visible') {
      onPresent(input);
      input = false;
    }
  };
  const onInput = ({ isTrusted }: Event) => {
    input ||= isTrusted;
  };
  for (const kind of ['keydown', 'pointerdown', 'wheel']) {
    window.addEventListener(kind, onInput, { capture: true, passive: true });
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      onSeen();
      say();
    }
  });
  window.setInterval(say, presentMilliseconds);
}
