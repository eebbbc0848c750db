/**
 * Copies a text to the clipboard, soon after the user's click. Rejects if that fails. Doesn't try
 * `navigator.clipboard` first: it needs a permission, which the desktop app's pages don't get.
 */
export async function copyText(text: string): Promise<void> {
  if (!copyByEvent(text)) {
    // Some browsers copy nothing if nothing is selected.
    await navigator.clipboard.writeText(text);
  }
}

/** Copies as Ctrl-C does, with this text instead of the selection. Focus and selection don't move. */
function copyByEvent(text: string): boolean {
  let copied = false;
  const put = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
    copied = event.clipboardData !== null;
  };
  document.addEventListener('copy', put, { capture: true });
  try {
    return document.execCommand('copy') && copied;
  } finally {
    document.removeEventListener('copy', put, { capture: true });
  }
}
