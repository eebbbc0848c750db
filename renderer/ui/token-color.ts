/** The current colour of a token of theme/tokens.css, for drawing on a canvas: `tokenColor(element, '--good')`. */
export function tokenColor(element: Element, token: `--${string}`): string {
  const probe = element.ownerDocument.createElement('span');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
