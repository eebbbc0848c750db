/** Focuses the field of a key in a form, and opens the part that it is folded into. */
export function showField(form: HTMLElement | null, key: string): void {
  const field = form?.querySelector<HTMLElement>(`[data-field="${key}"]`);
  const folded = field?.closest('details');
  if (folded) {
    folded.open = true;
  }
  field?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  field?.scrollIntoView({ block: 'nearest' });
}
