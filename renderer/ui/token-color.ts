/** A colour of theme/tokens.css as it is now, for what paints on a canvas: `tokenColor(element, '--good')`. */
export function tokenColor(element: Element, token: `--${string}`): string {
  const probe = element.ownerDocument.createElement('span');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
