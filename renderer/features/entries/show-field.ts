/** Focuses the field of a key in a form, and opens the part that it is folded into. */
export function showField(form: HTMLElement | null, key: string): void {
  const field = form && fieldOf(form, key);
  field?.focus();
  field?.scrollIntoView({ block: 'nearest' });
}

/** The control of a key in a form. Opens the part that it is folded into. */
export function fieldOf(form: HTMLElement, key: string): HTMLElement | null {
  const field = form.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"]`);
  const folded = field?.closest('details');
  if (folded) {
    folded.open = true;
  }
  return field?.querySelector<HTMLElement>('input, textarea, select') ?? null;
}
