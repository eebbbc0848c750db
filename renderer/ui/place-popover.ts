/** Places a popover below its button and flush with its end, or above it where there is no room; within the window. */
export function placePopover(popover: HTMLElement, button: HTMLElement | null): void {
  if (!button) {
    return;
  }
  const [gap, edge] = [4, 8];
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const hasRoom = at.bottom + gap + height <= window.innerHeight - edge;
  const top = hasRoom ? at.bottom + gap : at.top - gap - height;
  const left = Math.min(at.right - width, window.innerWidth - width - edge);
  popover.style.top = `${Math.max(edge, top)}px`;
  popover.style.left = `${Math.max(edge, left)}px`;
}
