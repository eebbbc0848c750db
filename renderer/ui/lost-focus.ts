/** Whether no visible element has the focus: the one that had it was removed or hidden. */
export function isLost(active: Element | null): boolean {
  return active === null || active === document.body || !active.checkVisibility();
}
