/** The value of a label as Kubernetes accepts it: empty, or at most 63 letters, digits and `-_.`. */
export function isLabelValue(text: string): boolean {
  return text.length <= 63 && /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(text);
}
