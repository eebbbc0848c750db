/** Whether nothing that is in sight has the focus: what had it is gone or hidden. */
export function isLost(active: Element | null): boolean {
  return active === null || active === document.body || !active.checkVisibility();
}
